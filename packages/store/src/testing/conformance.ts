import { describe } from 'vitest';
import { describeAuditing } from './auditing.ts';
import type { OpenBoard, Part } from './bench.ts';
import { describeConcurrency } from './concurrency.ts';
import { describeDecidedSearch } from './decided-search.ts';
import { describeDeciding } from './deciding.ts';
import { describeFaults } from './faults.ts';
import { describeFolding } from './folding.ts';
import { describeForeignText } from './foreign-text.ts';
import { describeIntegrity } from './integrity.ts';
import { describeKinds } from './kinds.ts';
import { describeLibrary } from './library.ts';
import { describeLog } from './log.ts';
import { describeLooseSearch } from './loose-search.ts';
import { describeMeaning } from './meaning.ts';
import { describeMeaningElsewhere } from './meaning-elsewhere.ts';
import { describeMaskedSearch } from './masked-search.ts';
import { describeMedia } from './media.ts';
import { describePayloads } from './payloads.ts';
import { describeRanking } from './ranking.ts';
import { describeReading } from './reading.ts';
import { describeSearch } from './search.ts';
import { describeTampering } from './tampering.ts';
import { describeTouches } from './touches.ts';
import { describeUsage } from './usage.ts';

export type { Bench, OpenBoard, Tamper } from './bench.ts';

/** STORE-1: what every store does. An adapter has to pass all of it; nothing in here asks which one it is. */
export const describeStore = (name: string, open: OpenBoard): void => {
  const part = (title: string, declare: Part): void => {
    describe(`${name}: ${title}`, () => {
      declare(open);
    });
  };
  part('the log', describeLog);
  part('reading', describeReading);
  part('deciding', describeDeciding);
  part('payloads', describePayloads);
  part('media', describeMedia);
  part('tampering', describeTampering);
  part('auditing', describeAuditing);
  part('folding', describeFolding);
  part('the library', describeLibrary);
  part('kinds of sub-agents', describeKinds);
  part('what calls touch', describeTouches);
  part('usage', describeUsage);
  part('foreign text', describeForeignText);
  part('integrity', describeIntegrity);
  part('search', describeSearch);
  part('questions in plain words', describeLooseSearch);
  part('meaning', describeMeaning);
  part('meaning by a model elsewhere', describeMeaningElsewhere);
  part('the order of hits', describeRanking);
  part('search of what was decided', describeDecidedSearch);
  part('search of what is masked', describeMaskedSearch);
  part('many writers', describeConcurrency);
  part('faults', describeFaults);
};
