export { request } from './request';
