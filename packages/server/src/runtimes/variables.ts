/** Where our own programs find what they are for, and any program its key. */
export const ENDPOINT = 'YARNBOARD_ENDPOINT';
export const BRIDGE = 'YARNBOARD_BRIDGE';
export const KEY = 'YARNBOARD_RUNTIME_KEY';
