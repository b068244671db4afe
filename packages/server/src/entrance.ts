// All that a command needs which asks a running server. The rest of the server takes longer to load than such a command takes.
export { homeOf, type Home } from './home/home.ts';
export { findServer, withoutPassword, type ServerMark } from './home/running-server.ts';
export { BadSettings, readSettings, REDIS_ADDRESS, REDIS_URL, type Settings } from './home/settings.ts';
export { reasonOf } from './home/reason.ts';
