export { respond } from './respond';
export { tryRules } from './tryRules';
