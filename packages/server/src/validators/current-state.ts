import { statfs } from 'node:fs/promises';
import { loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { accepts, askAddress, availableMemory, listeningPorts } from './machine.ts';
import { always, needsRoot, nothing, type Answer, type ArgumentsOf, type Surroundings, type Validator } from './port.ts';
import { compare } from './quantities.ts';
import { repositoryOf } from './reach.ts';

type Args = ArgumentsOf<'current_state'>;

const byMetric = async (args: Args, { services, signal }: Surroundings): Promise<Answer | readonly Answer[]> => {
  const addresses = services.flatMap(({ metrics }) => metrics ?? []);
  if (addresses.length === 0) return nothing('no metrics address is declared');
  const answers = await Promise.all(addresses.map((address) => askAddress(address, signal)));
  const samples = answers.flatMap((answer) => ('fault' in answer || answer.status !== 200 ? [] : samplesIn(answer.body)));
  const wanted = wordsOf(args.name);
  const found = samples.filter(({ name }) => wanted.every((word) => wordsOf(name).includes(word)));
  const values = new Set(found.map(({ value }) => value));
  const [sample] = found;
  if (sample === undefined) return nothing('no metric of that name');
  if (values.size > 1)
    return nothing(
      'several metrics of that name',
      found
        .slice(0, 3)
        .map(({ name, value }) => `${name} ${value}`)
        .join('; '),
    );
  const isShare = /ratio|percent|utili[sz]ation/u.test(sample.name);
  const shown = /ratio$|utili[sz]ation$/u.test(sample.name) && sample.value <= 1 ? sample.value * 100 : sample.value;
  return judged(args, shown, isShare ? '%' : null, `${sample.name} ${sample.value}`, true);
};

/** Reads Prometheus' text format: each line has a name, labels and a number. */
export const samplesIn = (body: string): readonly { readonly name: string; readonly value: number }[] =>
  body.split('\n').flatMap((line) => {
    const [, name, value] = /^([A-Za-z_:][\w:]{0,200})(?:\{[^}]{0,2000}\})?\s+(-?[\d.]+(?:e[+-]?\d+)?)(?:\s+\d+)?$/iu.exec(line.trim()) ?? [];
    const amount = Number(value);
    return name === undefined || !Number.isFinite(amount) ? [] : [{ name, value: amount }];
  });

const wordsOf = (name: string): readonly string[] =>
  name
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== '' && !['the', 'usage', 'at', 'of', 'current'].includes(word));

const byPort = async ({ name, value }: Args, surroundings: Surroundings): Promise<Answer> => {
  const [, digits] = /^port (\d{2,5})$/u.exec(name) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) return nothing('the claim is not about a port');
  const [isAccepting, open] = [await accepts(port, surroundings.signal), await listeningPorts(surroundings)];
  const isOpen = isAccepting === true || open?.has(port) === true;
  if (!isOpen && isAccepting === null) return nothing('the port could not be asked');
  const wantsOpen = /^(?:open|in use|listening|taken|occupied|bound|accepting connections|used)$/u.test(value.value);
  const wantsClosed = /^(?:closed|free|available|unused)$/u.test(value.value);
  if (!wantsOpen && !wantsClosed) return nothing('it does not tell');
  const evidence = `port ${port}: ${isAccepting === true ? 'accepts connections' : isOpen ? 'open' : 'closed'}`;
  return { says: isOpen === wantsOpen ? 'supports' : 'refutes', isDecisive: true, evidence };
};

const byMachine = async (args: Args, surroundings: Surroundings): Promise<Answer> => {
  const { reach } = surroundings;
  const name = args.name.toLowerCase();
  const isFree = /free|available|space left/u.test(name);
  if (/^(?:system )?(?:memory|ram|mem)(?: usage| utili[sz]ation)?$/u.test(name) || /^free memory$/u.test(name)) {
    const available = await availableMemory(surroundings);
    if (available === null) return nothing('the system does not say');
    const bytes = isFree ? available : totalmem() - available;
    const share = (bytes / totalmem()) * 100;
    return around(args, share, bytes, `memory: ${share.toFixed(0)} % ${isFree ? 'free' : 'used'}`);
  }
  if (/^(?:cpu )?load(?: average)?$/u.test(name)) {
    const [load = 0] = loadavg();
    return judged(args, load, null, `load: ${load.toFixed(2)}`, false, 0.1);
  }
  if (/^(?:the )?(?:root )?disk(?: usage| space| utili[sz]ation)?$|^(?:free|disk) space$/u.test(name)) {
    const folder = reach.base ?? '/';
    const { blocks, bavail, bsize, bfree } = await statfs(folder);
    const free = bavail / Math.max(1, blocks - bfree + bavail);
    return around(
      args,
      (isFree ? free : 1 - free) * 100,
      (isFree ? bavail : blocks - bfree) * bsize,
      `disk: ${((1 - free) * 100).toFixed(0)} % used`,
    );
  }
  return nothing('the claim is about something else');
};

/** Compares with some tolerance: people round to a percent, and the measured value changes. */
const around = (args: Args, share: number, bytes: number, evidence: string): Answer =>
  args.value.unit === null || /^(?:%|percent)$/iu.test(args.value.unit)
    ? judged(args, share, '%', evidence, true, 2)
    : judged(args, bytes, 'b', evidence, true, bytes * 0.05);

const judged = ({ value }: Args, found: number, unit: string | null, evidence: string, isDecisive: boolean, leeway = 0): Answer => {
  const verdict = compare(value, String(found), unit);
  const near = verdict !== true && value.bound === 'exactly' && [found - leeway, found + leeway].some((edge) => within(value.value, edge, found));
  if (verdict === null && !near) return nothing('the units do not fit', evidence);
  return { says: verdict === true || near ? 'supports' : 'refutes', isDecisive, evidence };
};

const within = (claimed: string, edge: number, found: number): boolean => {
  const amount = Number(claimed);
  return edge !== found && amount >= Math.min(edge, found) && amount <= Math.max(edge, found);
};

/** Reads the branch from git's own file. Git itself is not run, since a repository's settings can name programs to execute. */
const byHead = async ({ name, value }: Args, { reach }: Surroundings): Promise<Answer> => {
  if (!/branch|head/iu.test(name)) return nothing('the claim is not about a branch');
  const root = await repositoryOf(reach);
  if (root === null) return nothing('the session has no folder that may be read');
  const direct = await reach.read(join(root, '.git', 'HEAD'));
  const head = direct.kind === 'text' ? direct : await linkedHead(root, reach);
  if (head === null) return nothing('there is no repository in reach');
  const [, branch] = /^ref: refs\/heads\/(\S+)\s*$/u.exec(head.text) ?? [];
  const files = [{ path: head.path, stamp: head.stamp }];
  if (/^detached$/iu.test(value.value))
    return { says: branch === undefined ? 'supports' : 'refutes', isDecisive: true, evidence: `HEAD: ${branch ?? 'detached'}`, files };
  if (!/branch/iu.test(name)) return nothing('only git itself could tell');
  return { says: branch === value.value ? 'supports' : 'refutes', isDecisive: true, evidence: `branch: ${branch ?? 'detached'}`, files };
};

/** In a worktree, the file `.git` names the folder. */
const linkedHead = async (root: string, reach: Surroundings['reach']) => {
  const file = await reach.read(join(root, '.git'));
  const [, folder] = file.kind === 'text' ? (/^gitdir: (\S.*?)\s*$/u.exec(file.text) ?? []) : [];
  const head = folder === undefined ? null : await reach.read(join(folder, 'HEAD'));
  return head?.kind === 'text' ? head : null;
};

export const currentState: Validator<Args> = {
  type: 'current_state',
  reads: 'Open ports, disk, memory and load of this machine, the current branch, and the metrics addresses you declared.',
  risk: 'low',
  methods: [
    {
      name: 'metrics_address',
      environment: 'declared',
      missing: ({ services }) => (services.some(({ metrics }) => metrics !== null) ? null : 'no metrics address is declared'),
      run: byMetric,
    },
    { name: 'port', environment: 'system', missing: always, run: byPort },
    { name: 'machine', environment: 'system', missing: always, run: byMachine },
    { name: 'git_head', environment: 'project', missing: needsRoot, run: byHead },
  ],
};
