export { getAll } from './getAll';
export { getMissingRequirements } from './getMissingRequirements';
export { submitDocument } from './submitDocument';
