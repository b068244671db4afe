// What is measured and what helps measuring, each in a process of its own: node child.mjs mapper FOLDER SMALL LARGE, which prints one line of JSON, or
// node child.mjs clients | broadcast | relay FOLDER, which are told what to do.
import { runBroadcast } from './broadcast.ts';
import { runClients } from './clients.ts';
import { measureMapper } from './mapper.ts';
import { runRelay } from './relay.ts';

const [job = '', folder = '', small = '', large = ''] = process.argv.slice(2);
switch (job) {
  case 'mapper':
    console.log(JSON.stringify(await measureMapper(folder, Number(small), Number(large))));
    break;
  case 'clients':
    runClients();
    break;
  case 'broadcast':
    runBroadcast();
    break;
  case 'relay':
    runRelay(folder);
    break;
  default:
    throw new Error(`no such job: ${job}`);
}
