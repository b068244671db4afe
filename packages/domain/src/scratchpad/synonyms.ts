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
directory folder
image picture photo
job task
build compile compilation
crash crashes crashloop crashlooping crashloopbackoff
outage incident downtime
spike peak peaks spikes
throttle ratelimit ratelimited
flag toggle
percentile pct
user account accounts
mobile phone
page paginate paginated paginates pagination
cookie set-cookie
documentation readme manual handbook runbook
certificate chain
currency money
default fallback fallbacks
index indices
split break breaks splits
screen display monitor
session login logins logged
hostname fqdn
customer client-company
pull download downloads downloaded
push upload uploads uploaded
window popup dialog modal
dropdown select combobox
tenant organisation organization org
team squad
review reviewer reviewers
transaction tx
row record tuple
column field
migration migrate migrated migrates
upgrade bump bumped bumps upgraded
rewrite rewritten port ported
restore recovery recover recovers
notify notification notifications alert alerts alerting
caller callers callsite
argument parameter param arg args
stylesheet css
test tests spec specs testsuite
typo misspelling
workspace project
quota allowance
depth nesting
freeze freezes frozen hang stall stalls
slowdown slowness
shift jump jumps
mesh
lint linting linter lints
hydrate hydration
schema ddl
header headers
healthcheck health probe probes
autoscaler hpa autoscaling
duplicate double twice
reload refresh
price pricing prices
invoice bill billing invoices
payment charge charges payments
mean
permission privilege rights permissions
role roles
group groups
ordering order orderings
expire expiry lifetime max-age maxage
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
   according per see thus hence so therefore e.g eg i.e ie careful good news fact way ways place places thing things something
   immediately directly simply right away meanwhile afterwards midway anyway normally usually mostly mainly normally generally typically often sometimes
   effectively currently presently explicitly silently quietly cleanly happily mere merely fully completely entirely whole complete entire full own alone
   instead together anywhere everywhere somewhere later earlier soon long ago recently just even
   possible able ability capable manage manages managed
   reading dashboard grafana board graph chart dig kubectl grep curl provider comment plan explain
   stuff bit lot lots couple few many much rather better part good bad nice
   currently standing configured configure configures specified specify specifies defined define defines declared sized pinned pins pin resolves resolve
   fire fires fired waits wait waited consider considered think thinks thought
   looked inspected inspecting profiled profiling replayed tcpdump strace tried rerun
   new big small large huge tiny
   today yesterday morning afternoon evening night week month`,
);
