export const wordList = (words: string): readonly string[] => words.split(/\s+/u).filter((word) => word !== '');

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  wordList(
    `lost lose ran run sent send kept keep took take taken take wrote write written write built build went go gone go got get gotten get chose choose chosen choose
     held hold found find broke break broken break began begin begun begin fell fall grew grow grown grow hid hide hidden hide shown show
     spent spend stood stand stuck stick told tell woke wake won win saw see seen see said say came come did do done do had have has have gave give given give
     made make met meet paid pay rose rise shook shake shaken shake shrank shrink shrunk shrink slept sleep drove drive driven drive knew know known know left leave
     failure fail failures fail success succeed successful succeed successfully succeed indices index indexes index statuses status caches cache cached cache caching cache
     queries query data data bytes byte analyses analysis analysis analysis always always process process access access address address class class
     less less expiry expire expiration expire expires expire expired expire retention retain removal remove deletion delete deleted delete deletes delete
     growth grow usage use used use uses use using use slower slow slowdown slow slowness slow slowly slow faster fast larger large bigger big
     typed type types type typing type size size sized size tries try tried try renewal renew approval approve delivery deliver
     k8s kubernetes db database dbs database postgresql postgres pg postgres env environment envs environment config configuration conf configuration configured configure
     configures configure prod production repo repository repos repository auth authentication max maximum maximal maximum min minimum msg message msgs message
     param parameter params parameter docs documentation doc documentation stats statistics stat statistics lib library libs library dir directory dirs directory
     app application apps application deps dependency dep dependency gc gc js javascript ts typescript perf performance cert certificate certs certificate
     pkg package pkgs package func function fn function attr attribute attrs attribute id id ids id sec second secs second secure secure
     mem memory spec spec src source img image imgs image addr address char character chars character avg average num number
     twofactor mfa 2fa mfa dev development stg staging preprod staging dns dns https https tls tls css css aws aws redis redis kubernetes kubernetes
     kafka kafka succeed succeed need need speed speed exceed exceed feed feed embed embed statement statement statements statement comment comment comments comment
     segment segment segments segment payment payment payments payment environment environment element element elements element document document documents document
     state state states state private private template template templates template server server servers server worker worker workers worker user user users user
     consumer consumer consumers consumer producer producer producers producer header header headers header number number numbers number order order orders order
     letter letter letters letter customer customer customers customer cluster cluster clusters cluster parser parser parsers parser filter filter filters filter
     buffer buffer buffers buffer pointer pointer pointers pointer broker broker brokers broker loader loader loaders loader handler handler handlers handler
     monitor monitor never never after after under under over over date date dates date rate rate rates rate gate gate station station version version versions version
     session session sessions session mission mission permission permission permissions permission section section sections section
     string string strings string thing thing things thing nothing nothing ping ping during during morning morning
     daily daily weekly weekly hourly hourly monthly monthly yearly yearly nightly nightly ack acknowledge acks acknowledge acked acknowledge tx transaction txn transaction
     conn connection connections connection idx index creds credential req request reqs request resp response ram memory ttl expire ttls expire lifetime expire
     scheduled plan schedule plan schedules plan planned plan hashed hash hashes hash hashing hash
     emit send emits send emitted send publish send publishes send published send dispatch send dispatches send dispatched send invoke call invokes call invoked call
     launch start launches start launched start display show displays show displayed show verify validate verifies validate verified validate verification validate
     fetch load fetches load fetched load reboot restart reboots restart rebooted restart folder directory folders directory picture image pictures image mail email mails email
     sequential seq pick choose picks choose picked choose select choose selects choose selected choose occur happen occurs happen occurred happen erase delete erases delete
     development development average average mean average storage storage coverage coverage outage outage usage use page page pages page message message
     admin administrator admins administrator percentage percent latency latency
     signature sign signatures sign message message messages message package package packages package image image images image language language languages language instance instance
     instances instance sequence sequence reference reference references reference license license licensed license licence license balance balance sentence sentence
     audience audience container container containers container
     counted tally counts count rows row this this its its was was is is does does status status bus bus`,
  ).flatMap((word, i, all) => (i % 2 === 0 ? [[word, all[i + 1] ?? word] as const] : [])),
);

const VOWEL = /[aeiouy]/u;
const undouble = (word: string): string => {
  const last = word.at(-1) ?? '';
  return last === word.at(-2) && !'aeioulsz'.includes(last) ? word.slice(0, -1) : word;
};
const SUFFIXES: readonly (readonly [suffix: string, instead: string])[] = [
  ['isations', 'iz'],
  ['izations', 'iz'],
  ['isation', 'iz'],
  ['ization', 'iz'],
  ['ations', ''],
  ['ation', ''],
  ['ating', ''],
  ['ated', ''],
  ['ates', ''],
  ['ate', ''],
  ['ising', 'iz'],
  ['ised', 'iz'],
  ['ises', 'iz'],
  ['ise', 'iz'],
  ['izing', 'iz'],
  ['ized', 'iz'],
  ['izes', 'iz'],
  ['ize', 'iz'],
  ['ssions', 'ss'],
  ['ssion', 'ss'],
  ['ctions', 'ct'],
  ['ction', 'ct'],
  ['ptions', 'pt'],
  ['ption', 'pt'],
  ['tions', 't'],
  ['tion', 't'],
  ['ances', ''],
  ['ance', ''],
  ['ences', ''],
  ['ence', ''],
  ['ages', ''],
  ['age', ''],
  ['able', ''],
  ['ible', ''],
  ['ments', ''],
  ['ment', ''],
  ['ings', ''],
  ['ing', ''],
  ['ies', 'y'],
  ['ied', 'y'],
  ['sses', 'ss'],
  ['xes', 'x'],
  ['ches', 'ch'],
  ['shes', 'sh'],
  ['ers', ''],
  ['ed', ''],
  ['es', ''],
  ['ly', ''],
  ['er', ''],
];

const BY_LAST: ReadonlyMap<string, typeof SUFFIXES> = new Map(
  ['s', 'n', 'g', 'd', 'e', 't', 'y', 'r'].map((last) => [last, SUFFIXES.filter(([suffix]) => suffix.endsWith(last))]),
);

/** One form for the forms of a word; not a real stem, only the same for both texts. */
export const stemOf = (word: string): string => {
  const plain = word.endsWith("'s") || word.endsWith('’s') ? word.slice(0, -2) : word;
  if (plain === 'threw' || plain === 'thrown') return stemOf('throws');
  const known = IRREGULAR.get(plain);
  if (known !== undefined) return known === plain ? closed(known) : stemOf(known);
  const base = plain;
  if (base.length < 4 || /\d/u.test(base)) return base;
  for (const [suffix, instead] of BY_LAST.get(base.at(-1) ?? '') ?? []) {
    if (!base.endsWith(suffix) || base.length - suffix.length < 3) continue;
    const rest = base.slice(0, -suffix.length) + instead;
    if (!VOWEL.test(rest)) continue;
    return closed(undouble(rest));
  }
  return closed(base.endsWith('s') && !base.endsWith('ss') && !base.endsWith('us') && !base.endsWith('is') ? base.slice(0, -1) : base);
};
const closed = (word: string): string =>
  word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word.endsWith('y') && word.length > 3 ? `${word.slice(0, -1)}i` : word;

export const stemSet = (words: string): ReadonlySet<string> => new Set(wordList(words).map(stemOf));
export const wordSet = (words: string): ReadonlySet<string> => new Set(wordList(words));

/** A slip of the pen in a long word: one letter missing, added, changed, or two swapped. */
export const isSlip = (a: string, b: string): boolean => {
  if (a.length < 5 || b.length < 5 || Math.abs(a.length - b.length) > 1 || a[0] !== b[0]) return false;
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const [restA, restB] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  if (restA.length > 2 || restB.length > 2 || /\d/u.test(a + b)) return false;
  if (Math.max(restA.length, restB.length) <= 1) return true;
  return restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0];
};

export const singularOf = (word: string): string => (word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word);
