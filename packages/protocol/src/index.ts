export { encodeInspect } from './inspect/encode.ts';
export { inspectDocument } from './inspect/schema.ts';
export type { InspectDocument } from './inspect/schema.ts';
export { encodeShowHead, encodeShowStep, type ShowContext } from './show/encode.ts';
export { showDocument } from './show/schema.ts';
export type { ShowDocument } from './show/schema.ts';
