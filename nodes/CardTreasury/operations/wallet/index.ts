export { calculateSweep } from './calculateSweep';
export { transfer } from './transfer';
