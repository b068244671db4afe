/** Irregular forms, each after its base word; nouns that mean the same as their verb; and `counted`, because counting gives a count. */
export const IRREGULAR =
  'begin began begun, break broke broken, bring brought, build built, buy bought, catch caught, choose chose chosen, come came, do did, draw drew ' +
  'drawn, drive drove driven, fall fell fallen, feed fed, feel felt, find found, forget forgot forgotten, get got gotten, give gave given, go went, ' +
  'grow grew grown growth, have had has, hide hid hidden, hold held, keep kept, know knew known, lead led, leave left, lose lost, make made, meet ' +
  'met, overwrite overwrote overwritten, pay paid, rebuild rebuilt, resend resent, rewrite rewrote rewritten, rise rose, run ran, say said, see saw ' +
  'seen, send sent, shake shook shaken, show shown, shrink shrank shrunk, sink sank, sleep slept, spend spent, spin spun, stand stood, steal stole ' +
  'stolen, stick stuck, sweep swept, take took taken, tear tore torn, tell told, throws threw thrown, undo undid, understand understood, wake woke ' +
  'woken, win won, withdraw withdrew withdrawal, write wrote written, ' +
  'big bigger, close closer, fast faster, few fewer, high higher, large larger, long longer, low lower, new newer, old older, short shorter, slow ' +
  'slower slowdown slowness slowly, small smaller, wide wider, ' +
  'analysis analyses, approve approval, arrive arrival arrivals, byte bytes, cache caches cached caching, count counts, configure configured configures, connection ' +
  'connections, delete deletion deleted deletes, deliver delivery deliveries, expire expiry expiration expires expired, fail failure failures, hash ' +
  'hashed hashes hashing, index indices indexes, license licensed licence, plan planned, query queries, remove removal, renew renewal, retrieve retrieval, retain ' +
  'retention, row rows, sign signature signatures, size sized, status statuses, succeed success successful successfully, try tries tried, type typed ' +
  'types typing, use usage used uses using, tally counted, maximum maximal, percent percentage';

/** Abbreviations, each after the full word. */
export const SHORT_FORMS =
  'acknowledge ack acks acked, address addr, administrator admin admins, application app apps, attribute attr attrs, authentication auth, average ' +
  'avg mean, certificate cert certs, character char chars, configuration config conf, credential creds, database db dbs, dependency deps dep, ' +
  'development dev, directory dir dirs, documentation docs doc, environment env envs, expire ttl ttls lifetime, function func fn, image img imgs, ' +
  'index idx, javascript js, kubernetes k8s, library lib libs, maximum max, memory mem ram, message msg msgs, mfa twofactor 2fa, minimum min, number ' +
  'num, package pkg pkgs, parameter param params, performance perf, postgres postgresql pg, production prod, repository repo repos, request req reqs, ' +
  'response resp, second sec secs, source src, staging stg preprod, statistics stats stat, transaction tx txn, typescript ts, connection conn';

/** Words whose last letters only look like an ending. */
export const WHOLE =
  'data analysis always process access address class less size gc id secure spec dns https tls css aws redis kubernetes kafka succeed need speed ' +
  'exceed feed embed statement comment segment payment environment element document state private template server worker user consumer producer ' +
  'header number order letter customer cluster parser filter buffer pointer broker loader handler monitor never after under over date rate gate ' +
  'station version session mission permission section string thing nothing ping during morning daily weekly hourly monthly yearly nightly development ' +
  'average storage coverage outage page message latency package image language instance sequence reference license balance sentence audience ' +
  'container this its was is does status bus runner render rerender register trigger answer offer cover recover discover deliver redeliver differ alter ' +
  'enter suffer transfer jitter flicker stutter quarter disable apply reply supply multiply repeat agree hundred add full documentation';
