export { configure3ds } from './configure3ds';
export { freeze } from './freeze';
export { get } from './get';
export { unblock } from './unblock';
export { unfreeze } from './unfreeze';
