import { withBoard } from '../board/client.ts';
import { BOARD_OPTIONS, placeOf } from '../board/place.ts';
import { serverOf } from '../board/reach.ts';
import type { ExitCode, Io } from '../io.ts';
import { readOptions } from '../options.ts';
import { Refusal } from '../refusal.ts';

/** `yarnboard open`: opens the running server's page in the browser, with a link that signs the operator in. */
export const open = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values, positionals } = readOptions('open', args, { ...BOARD_OPTIONS, print: { type: 'boolean', default: false } });
  if (positionals.length > 0) throw new Refusal(2, `open takes no "${positionals[0] ?? ''}"; \`yarnboard help open\` tells what it does`);
  const place = placeOf(values, io);
  const server = await serverOf(place);
  if (server === null) throw new Refusal(3, `no server runs for ${place.home.folder}; \`yarnboard start\` starts one and opens the page`);
  const { url } = await withBoard(place, io, { readOnly: true }, ({ call, board }) => {
    if (board !== null) throw new Refusal(3, `the server of ${place.home.folder} has just stopped; \`yarnboard start\` starts it again`);
    return call('page_link', {});
  });
  if (!values.print && io.browse(url)) {
    await io.out(`opening ${server.url}\n`);
    return 0;
  }
  await io.out(`${url}\n`);
  if (!values.print) io.err('there is no screen here; the link lets you in once, within ten minutes\n');
  return 0;
};
