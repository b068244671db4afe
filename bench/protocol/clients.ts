import { assertNever } from '@yarnboard/domain';
import { openLightClient, type LightClient } from './light-client.ts';
import { monotonicNow, type Answer, type ClientsOrder } from './job.ts';

/** Clients as many as are wanted, all in this process. */
export const runClients = (): void => {
  let clients: LightClient[] = [];
  let waitFor = 0;
  let done = 0;
  let firstAt = 0;
  /** What was asked last: an end that nobody expects is told with it. */
  let phase: ClientsOrder['do'] = 'connect';
  let target = Number.POSITIVE_INFINITY;
  const answer = (what: Answer): void => void process.send?.(what);

  const countDown = (): void => {
    waitFor -= 1;
    if (waitFor === 0) answer({ is: 'done', at: monotonicNow() });
  };
  const onFrame = (seq: number): void => {
    if (seq !== target) return;
    if (done === 0) firstAt = monotonicNow();
    done += 1;
    if (done === clients.length) reached();
  };
  const reached = (): void => {
    const at = monotonicNow();
    answer({ is: 'reached', firstAt, at, wrong: clients.reduce((sum, { wrong }) => sum + wrong, 0) });
  };

  // Not all at once: a server takes no more than a few hundred that knock in the same moment, and the system drops the others.
  const connectSome = (port: number, count: number): void => {
    let open = 0;
    const onOpen = (): void => {
      countDown();
      open += 1;
      if (open === many) connectSome(port, count);
    };
    const many = Math.min(AT_ONCE, count - clients.length);
    for (let i = 0; i < many; i += 1) {
      const number = clients.length + 1;
      const onEnd = (why: string): void => answer({ is: 'failed', why: `client ${number} of ${count} at port ${port}, ${phase}: ${why}` });
      clients.push(openLightClient({ port, onOpen, onGreeted: countDown, onFrame, onEnd }));
    }
  };

  process.on('message', (order: ClientsOrder) => {
    phase = order.do;
    switch (order.do) {
      case 'connect':
        waitFor = order.count;
        clients = [];
        done = 0;
        target = Number.POSITIVE_INFINITY;
        connectSome(order.port, order.count);
        break;
      case 'greet':
        waitFor = clients.length;
        for (const client of clients) client.greet(order.sinceSeq);
        break;
      case 'await':
        target = order.seq;
        done = clients.filter(({ seq }) => seq >= target).length;
        if (done === clients.length) reached();
        break;
      case 'close':
        for (const client of clients) client.close();
        answer({ is: 'done', at: monotonicNow() });
        break;
      default:
        assertNever(order);
    }
  });
};

const AT_ONCE = 100;
