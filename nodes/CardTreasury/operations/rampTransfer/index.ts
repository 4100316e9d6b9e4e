export { updateAmount } from './updateAmount';
