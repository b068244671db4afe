import { stemOf, wordList, wordSet } from './stems.ts';

/** Words of the trade that mean the same thing in a finding; the first of a row stands for all. */
const ROWS = `
rate ratio
average mean avg
memory rss resident ram
package dependency library module
endpoint route
deploy deployment rollout
ci pipeline pipelines
queue backlog
retry attempt attempts retries
reconnect reconnection
websocket socket ws
ticket issue
bug defect
machine box host vm
directory folder folders
image picture pictures photo
job task
crash crashes crashloop crashlooping crashloopbackoff
outage incident downtime
spike peak peaks spikes
throttle ratelimit ratelimited throttled throttling
limit cap quota ceiling
flag toggle
percentile pct
mobile phone
page paginate paginated paginates pagination
cookie set-cookie
documentation readme manual handbook runbook
currency money
default fallback fallbacks
split break breaks splits
pull download downloads downloaded
push upload uploads uploaded
dropdown select combobox
tenant organisation organization org
team squad
review reviewer reviewers
migration migrate migrated migrates
upgrade bump bumped bumps upgraded
rewrite rewritten port ported
restore recovery recover recovers
notify notification notifications alert alerts alerting
caller callers callsite
argument parameter param arg args
stylesheet css
test tests spec specs testsuite
depth nesting
length duration
freeze freezes frozen hang stall stalls
slowdown slowness
shift jump jumps
lint linting linter lints
hydrate hydration
schema ddl
healthcheck health probe probes
autoscaler hpa autoscaling
duplicate double twice
reload refresh
price pricing prices
invoice bill billing invoices
payment charge charges payments
permission privilege rights permissions
ordering order orderings
expire expiry lifetime max-age maxage ttl
error exception exceptions errors
logout logging-out
rotate rotation
client browser
record row rows records
field column columns
acknowledge ack acks acked acknowledged acknowledges
listen bind binds listens
send emit emits emitted publish publishes published dispatch dispatches dispatched
call invoke invokes invoked
start launch launches launched
show display displays displayed
validate verify verifies verified verification
load fetch fetches fetched
restart reboot reboots rebooted
email mail mails
choose pick picks picked select selects selected
happen occur occurs occurred
delete erase erases
plan schedule schedules scheduled
seq sequential
`;
const SYNONYMS: ReadonlyMap<string, string> = new Map(
  ROWS.trim()
    .split('\n')
    .flatMap((row) => {
      const [first = '', ...others] = wordList(row);
      return others.map((word) => [stemOf(word), stemOf(first)] as const);
    }),
);
export const synonymOf = (stem: string): string => SYNONYMS.get(stem) ?? stem;

/** Verbs and adverbs of reporting: they say how a thing is told or that it is there, and tell no two things apart. */
export const COLOURLESS = wordSet(
  `use uses used using on enabled enable enables active activated works work
   sit sits stand stands hover hovers top tops bail bails land lands end ends fall falls rest rests stay stays amount amounts account accounts reach reaches hit hits
   bring brings brought turn turns happen happens occur occurs appear appears see sees saw seen look looks looked watch watched check checked notice noticed observe observed
   measure measured count counts counted believe believes find finds found test tested try tries tried show shows showed shown list lists listed mention mentions mentioned
   state states stated declare declares declared describe describes described call called name named read reads say says said tell tells told give gives gave given get gets got
   go goes went gone come comes came take takes took taken make makes made put puts set sets let lets have has having do does done be being become becomes need needs want wants
   handle handles handled process processes processed perform performs performed carry carries carried hold holds contain contains contained include includes included
   provide provides provided offer offers offered receive receives received return returns returned answer answers answered respond responds responded equal equals
   stored stores store kept keep keeps lives live living located resides written writes write wrote goes done executed execute executes exec run runs running ran
   begin begins began begun start starts started continue continues remain remains report reports reported confirm confirms confirmed prove proves
   per thus hence so therefore eg ie careful fact way ways place places thing things something
   immediately directly simply right away meanwhile afterwards midway anyway normally usually mostly mainly normally generally typically often sometimes
   effectively currently presently explicitly silently quietly cleanly happily mere merely fully completely entirely whole complete entire full own alone
   instead together anywhere everywhere somewhere later earlier soon long ago recently just even
   possible able ability capable manage manages managed
   reading according kubectl grep curl dig tcpdump strace
   send sends sent cover covers covered touch touches touched ship shipped deliver delivers delivered
   last lasts lasted us stuff bit lot lots couple few many much rather part
   currently standing configured configure configures specified specify specifies defined define defines sized pinned pins resolves resolve
   fires fired waits waited consider considered think thinks thought inspected inspecting profiled profiling replayed rerun`,
);
const COLOURLESS_STEMS: ReadonlySet<string> = new Set([...COLOURLESS].map(stemOf));
export const isColourless = (stem: string): boolean => COLOURLESS_STEMS.has(stem);
