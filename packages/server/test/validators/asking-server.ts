import { createChecker } from '../../src/validators/checker.ts';

// Asks for a check by the command line that it is given, and waits for it as a server does.
const place = { roots: { folders: [], closed: [], problems: [] }, cwd: null, services: [], mayAskContainers: false, ownPids: [], calls: null };
const checker = createChecker({ command: process.argv.slice(2), now: () => 0, patience: 3_600_000 });
await checker.check({ type: 'file_exists', path: 'a' }, place);
