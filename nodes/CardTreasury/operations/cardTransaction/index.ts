export { downloadStatement } from './downloadStatement';
export { get } from './get';
export { search } from './search';
