export { transfer } from './transfer';
