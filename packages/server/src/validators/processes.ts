import { userInfo } from 'node:os';
import { accepts, askAddress, listeningPorts, processNames } from './machine.ts';
import { launchedIn, saidBy } from './mac.ts';
import { always, nothing, type Answer, type ArgumentsOf, type Method, type Surroundings, type Validator } from './port.ts';
import { isPlainArgument } from './programs.ts';

type Args = ArgumentsOf<'service_status'>;

/** What one method sees of the service. `isUp` is null if it cannot tell. */
type Sight = {
  readonly isUp: boolean | null;
  readonly isHealthy?: boolean | null;
  readonly isListening?: boolean | null;
  readonly isDecisive?: boolean;
  readonly evidence: string;
};

const seeing =
  (look: (args: Args, around: Surroundings) => Promise<Sight | string>): Method<Args>['run'] =>
  async (args, around) => {
    const sight = await look(args, around);
    return typeof sight === 'string' ? nothing(sight) : answerFrom(args, sight);
  };

/**
 * VAL-25: "running", "listening" and "healthy" are different things. A running service may not listen, and a listening one may be unhealthy: never
 * infer one from another.
 */
const answerFrom = ({ state }: Args, sight: Sight): Answer => {
  const about = state === 'listening' ? listening(sight) : state === 'healthy' || state === 'unhealthy' ? healthy(sight) : sight.isUp;
  if (about === null) return nothing('it does not tell', sight.evidence);
  const isSo = state === 'stopped' || state === 'unhealthy' ? !about : about;
  return { says: isSo ? 'supports' : 'refutes', isDecisive: sight.isDecisive === true, evidence: sight.evidence };
};

const listening = ({ isUp, isListening = null }: Sight): boolean | null => isListening ?? (isUp === false ? false : null);
const healthy = ({ isUp, isHealthy = null }: Sight): boolean | null => isHealthy ?? (isUp === false ? false : null);

const unit = (scope: 'system' | 'user') =>
  seeing(async ({ name }, { programs, services, signal }) => {
    const asked = declared(services, name)?.unit ?? name.toLowerCase();
    if (!isPlainArgument(asked)) return 'not the name of a unit';
    if (!programs.has('systemctl')) return jobAt(await saidBy(programs, 'launchctl', ['list'], signal), asked);
    const env: Readonly<Record<string, string>> = scope === 'user' ? { XDG_RUNTIME_DIR: `/run/user/${userInfo().uid}` } : {};
    const args = [...(scope === 'user' ? ['--user'] : []), 'show', '--no-pager', '--property=LoadState,ActiveState,SubState', '--', asked];
    const ran = await programs.run('systemctl', args, { signal, env });
    return ran.fault ?? unitIn(ran.output, asked) ?? 'there is no such unit';
  });

/** VAL-36: on macOS, launchd runs a user's services. A loaded one may be waiting until it is needed. */
const jobAt = (output: string | null, asked: string): Sight | string => {
  if (output === null) return 'launchd does not answer';
  const job = launchedIn(output, asked);
  if (job === null) return 'there is no such unit';
  const { label, pid, exit } = job;
  if (pid !== null) return { isUp: true, isDecisive: true, evidence: `${label}: running` };
  const isFailed = exit !== null && exit !== 0;
  return { isUp: false, isHealthy: isFailed ? false : null, evidence: `${label}: not running${isFailed ? ` (last exit ${exit})` : ''}` };
};

/** Reads the output of `systemctl show`; null if there is no such unit. */
export const unitIn = (output: string, asked: string): Sight | null => {
  const told = new Map(output.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1).trim()]));
  if (told.get('LoadState') !== 'loaded') return null;
  const active = told.get('ActiveState') ?? '';
  const evidence = `${asked}: ${active} (${told.get('SubState') ?? ''})`;
  if (active === 'active') return { isUp: true, isDecisive: true, evidence };
  if (active === 'failed') return { isUp: false, isHealthy: false, evidence };
  return { isUp: active === 'inactive' ? false : null, evidence };
};

const container = seeing(async ({ name }, { programs, mayAskContainers, signal }) => {
  if (!mayAskContainers) return 'asking the container runtime is not allowed';
  if (!isPlainArgument(name)) return 'not the name of a container';
  const program = programs.has('docker') ? 'docker' : 'podman';
  const ran = await programs.run(program, ['ps', '--all', '--no-trunc', '--format', '{{.Names}}\t{{.Image}}\t{{.State}}\t{{.Status}}'], { signal });
  if (ran.fault !== null || ran.code !== 0) return ran.fault ?? 'the container runtime does not answer';
  return containerIn(ran.output, name) ?? 'there is no such container';
});

/** A container matches by its full name or its image, never by part of a name. */
export const containerIn = (output: string, name: string): Sight | null => {
  const wanted = name.toLowerCase();
  const rows = output
    .split('\n')
    .filter((line) => line.includes('\t'))
    .map((line) => line.split('\t'))
    .filter(([names = '', image = '']) => names.toLowerCase().split(',').includes(wanted) || imageName(image) === wanted);
  const running = rows.filter(([, , state]) => state === 'running');
  const [first] = running.length > 0 ? running : rows;
  if (first === undefined) return null;
  const [names = '', , state = '', status = ''] = first;
  const isUp = state === 'running';
  const isHealthy = /\(unhealthy\)/u.test(status) ? false : /\(healthy\)/u.test(status) ? true : null;
  return { isUp, isHealthy, isDecisive: isUp, evidence: `container ${names}: ${state}` };
};

const imageName = (image: string): string => (image.split('/').at(-1) ?? '').replace(/[:@].*$/u, '').toLowerCase();

const byProcess = seeing(async ({ name }, around) => {
  const running = await processNames(around.ownPids, around);
  if (running === null) return 'the list of processes is not there';
  const wanted = processesOf(name);
  const found = [...running].filter(([, one]) => wanted.has(one.toLowerCase()));
  if (found.length > 0) return { isUp: true, evidence: `process ${found[0]?.[1] ?? ''} (${found.length})` };
  // If other users' processes are hidden, finding none means nothing.
  return running.has(1) ? { isUp: false, evidence: `no process ${[...wanted].join(' or ')}` } : 'processes of others are hidden';
});

const byPort = seeing(async ({ name, port: said }, around) => {
  const { services, signal } = around;
  const port = said ?? declared(services, name)?.port ?? PORTS[aliasOf(name)] ?? null;
  if (port === null) return 'nobody said which port';
  const isAccepting = await accepts(port, signal);
  const isListening = isAccepting === true || ((await listeningPorts(around))?.has(port) ?? false);
  if (isAccepting === null && !isListening) return 'the port could not be asked';
  return isListening
    ? { isUp: true, isListening: true, isDecisive: false, evidence: `port ${port}: ${isAccepting === true ? 'accepts connections' : 'open'}` }
    : { isUp: false, isListening: false, evidence: `port ${port}: closed` };
});

const byHealth = seeing(async ({ name }, { services, signal }) => {
  const address = declared(services, name)?.health ?? null;
  if (address === null) return 'no health address is declared';
  const answer = await askAddress(address, signal);
  if ('fault' in answer) return answer.fault === 'ECONNREFUSED' ? { isUp: false, isHealthy: false, evidence: 'health: refused' } : answer.fault;
  if (answer.status >= 200 && answer.status < 300) return { isUp: true, isHealthy: true, isDecisive: true, evidence: `health: ${answer.status}` };
  // It runs, but is unhealthy.
  return { isUp: null, isHealthy: false, isDecisive: true, evidence: `health: ${answer.status}` };
});

const declared = (services: Surroundings['services'], name: string) => services.find((one) => one.name.toLowerCase() === name.toLowerCase()) ?? null;

const aliasOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/-server$/u, '')
    .replace(/^postgresql$/u, 'postgres');

/** VAL-26: a service matches by its own name or its program's name, never by part of one. Process names are cut at 15 characters. */
export const processesOf = (name: string): ReadonlySet<string> => {
  const plain = name.toLowerCase();
  return new Set([plain, ...(PROCESSES[plain] ?? PROCESSES[aliasOf(plain)] ?? [])].map((one) => one.slice(0, 15)));
};

const PROCESSES: Readonly<Record<string, readonly string[]>> = {
  redis: ['redis-server', 'valkey-server'],
  postgres: ['postgres', 'postmaster'],
  postgresql: ['postgres', 'postmaster'],
  mysql: ['mysqld', 'mariadbd'],
  mariadb: ['mariadbd', 'mysqld'],
  mongo: ['mongod'],
  mongodb: ['mongod'],
  docker: ['dockerd'],
  ssh: ['sshd'],
  apache: ['apache2', 'httpd'],
  apache2: ['apache2', 'httpd'],
  memcached: ['memcached'],
  rabbitmq: ['beam.smp'],
  cron: ['cron', 'crond'],
};
const PORTS: Readonly<Record<string, number>> = {
  redis: 6379,
  postgres: 5432,
  mysql: 3306,
  mariadb: 3306,
  mongo: 27_017,
  mongodb: 27_017,
  nginx: 80,
  apache: 80,
  apache2: 80,
  memcached: 11_211,
  rabbitmq: 5672,
  elasticsearch: 9200,
  kafka: 9092,
  etcd: 2379,
  consul: 8500,
  prometheus: 9090,
  grafana: 3000,
};

const withProgram =
  (name: 'systemctl') =>
  ({ programs }: Surroundings): string | null =>
    programs.has(name) ? null : `${name} is not installed`;

const withUnits = ({ programs }: Surroundings): string | null =>
  programs.has('systemctl') || programs.has('launchctl') ? null : 'neither systemctl nor launchctl is installed';

export const serviceStatus: Validator<Args> = {
  type: 'service_status',
  reads: 'Units, names of processes, listening ports on this machine, and the health addresses you declared. Containers only if you allow it.',
  risk: 'low',
  methods: [
    { name: 'system_unit', environment: 'system', missing: withProgram('systemctl'), run: unit('system') },
    { name: 'user_unit', environment: 'system', missing: withUnits, run: unit('user') },
    {
      name: 'container',
      environment: 'system',
      missing: ({ programs, mayAskContainers }) => {
        if (!mayAskContainers) return 'not allowed in settings.json';
        return programs.has('docker') || programs.has('podman') ? null : 'neither docker nor podman is installed';
      },
      run: container,
    },
    {
      name: 'process',
      environment: 'system',
      missing: () => (['linux', 'darwin'].includes(process.platform) ? null : 'only on Linux and macOS'),
      run: byProcess,
    },
    { name: 'listening_port', environment: 'system', missing: always, run: byPort },
    {
      name: 'health_address',
      environment: 'declared',
      missing: ({ services }) => (services.some(({ health }) => health !== null) ? null : 'no health address is declared'),
      run: byHealth,
    },
  ],
};
