export { encodeInspect, inspectDocument } from './inspect.ts';
export type { InspectDocument } from './inspect.ts';
