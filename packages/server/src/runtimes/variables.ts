/** Environment variables: what our own programs are started for, and any program's API key. */
export const ENDPOINT = 'YARNBOARD_ENDPOINT';
export const BRIDGE = 'YARNBOARD_BRIDGE';
export const KEY = 'YARNBOARD_RUNTIME_KEY';
