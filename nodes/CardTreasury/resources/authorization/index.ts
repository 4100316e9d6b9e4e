export { respond } from './respond';
