// Everything that a command needs to call a running server. Loading the rest of the server takes longer than such a command.
export { homeOf, type Home } from './home/home.ts';
export { findServer, withoutPassword, type ServerMark } from './home/running-server.ts';
export { BadSettings, readSettings, REDIS_ADDRESS, REDIS_URL, type Settings } from './home/settings.ts';
export { reasonOf } from './home/reason.ts';
