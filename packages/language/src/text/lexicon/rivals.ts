import { stemOf } from '../stems.ts';

/** Names that exclude each other: if two texts fill the same slot with different names of one row, they disagree. */
const ROWS = `
compression: gzip zstd brotli lz4 snappy deflate bzip2 xz uncompressed lzma
bundler: webpack vite rollup esbuild parcel turbopack rspack swc babel
database: postgres mysql mariadb sqlite mongodb mongo dynamodb cassandra cockroachdb oracle mssql couchdb bigtable spanner clickhouse duckdb firestore h2 redshift bigquery snowflake scylladb neo4j timescaledb tidb yugabytedb planetscale supabase db2 influxdb arangodb couchbase
cache: redis memcached valkey hazelcast varnish dragonfly ehcache caffeine
broker: kafka rabbitmq sqs nats pulsar kinesis activemq pubsub eventbridge zeromq mosquitto redpanda sns servicebus
search: elasticsearch opensearch solr meilisearch typesense algolia lucene sphinx vespa
store: s3 gcs minio r2 b2 nfs efs ebs ceph dropbox backblaze wasabi
cloud: aws gcp azure hetzner digitalocean heroku cloudflare linode ovh scaleway vercel netlify railway alibaba
ci: jenkins github-actions gitlab-ci circleci buildkite travis teamcity drone bamboo argo tekton woodpecker concourse semaphore azure-pipelines codebuild
packages: npm yarn pnpm bun poetry pip pipenv conda uv pdm rye maven gradle cargo gem bundler composer nuget apt apk yum dnf brew
runner: jest vitest mocha jasmine ava pytest unittest nose junit testng rspec karma nunit xunit minitest
e2e: playwright cypress selenium puppeteer
format: json xml yaml toml csv tsv protobuf avro msgpack parquet orc ini cbor thrift flatbuffers html markdown pdf bson ndjson jsonl xlsx docx
encoding: utf-8 utf8 utf-16 latin-1 latin1 ascii iso-8859-1 windows-1252
zone: utc gmt local-time cet pst est europe/berlin america/new_york europe/london cest edt pdt ist bst america/los_angeles
money: cents dollars euros pence pounds yen eur usd gbp chf jpy cad
timeunit: nanoseconds microseconds milliseconds seconds minutes hours days weeks months
byteunit: bits bytes kilobytes megabytes gigabytes kib mib gib
level: trace debug info warn warning error fatal critical verbose
isolation: serializable read-committed read-uncommitted repeatable-read snapshot-isolation
type: integer int bigint smallint varchar text uuid boolean bool decimal float double timestamp jsonb string number numeric array object char date blob enum int32 int64 uint32 datetime uuidv4 uuidv7 ulid cuid
hash: sha1 sha-1 sha256 sha-256 sha512 sha-512 md5 bcrypt argon2 argon2id scrypt pbkdf2 crc32 xxhash murmur blake2 blake3
signature: hs256 rs256 es256 rsa ecdsa ed25519 hmac
cipher: aes-128 aes-256 aes-gcm aes-cbc chacha20 des
auth: jwt oauth oauth2 saml oidc basic-auth mtls kerberos ldap passkey webauthn api-key
protocol: rest grpc graphql websocket websockets sse polling soap mqtt amqp webhook xmpp trpc jsonrpc
method: get post put patch delete head options
transport: tcp udp quic
access: readwritemany readwriteonce readonlymany rwo rwx rox
driving: polled polls polling event-driven interrupt-driven dma
ip: ipv4 ipv6
proxy: nginx envoy haproxy traefik caddy apache kong linkerd-proxy squid pingora iis
container: docker podman containerd cri-o
infra: terraform pulumi cloudformation ansible cdk helm kustomize chef puppet saltstack opentofu crossplane
distro: ubuntu debian alpine centos rhel fedora distroless suse amazonlinux rocky almalinux
language: python java golang rust ruby php typescript javascript kotlin scala swift elixir perl bash c# csharp dart haskell ocaml zig lua julia clojure erlang nim
ui: react vue svelte angular preact solid ember qwik htmx alpinejs
eviction: lru lfu fifo lifo
balance: round-robin least-connections random weighted
delivery: at-least-once at-most-once exactly-once
place: cookie header query-string localstorage sessionstorage indexeddb
branch: main master develop trunk
licence: mit apache-2.0 apache2 gpl gpl-2.0 gpl-3.0 gplv3 gplv2 lgpl isc agpl bsd mpl
cadence: hourly daily weekly nightly monthly quarterly yearly annually
logging: log4j logback winston pino bunyan zap zerolog structlog slf4j loguru slog
orm: prisma typeorm sequelize drizzle knex hibernate sqlalchemy mikroorm activerecord ef gorm diesel
region: us-east-1 us-east-2 us-west-1 us-west-2 eu-west-1 eu-west-2 eu-central-1 ap-south-1 ap-southeast-1 eu-west-3 eu-north-1 ap-northeast-1 sa-east-1 ca-central-1 europe-west1 europe-west3 europe-west4 us-central1 us-east1
allocator: jemalloc tcmalloc mimalloc glibc
join: inner outer left right cross
separator: semicolon semicolons comma commas tab tabs pipe spaces
backoff: exponential linear constant fixed jittered
image: jpeg jpegs webp png pngs avif gif svg
engine: myisam innodb rocksdb wiredtiger chromium webkit gecko v8
severity: p0 p1 p2 p3 p4 sev1 sev2 sev3
review: open closed merged draft
consistency: eventual strong causal
architecture: arm64 amd64 x86 x86_64 aarch64
colour: blue yellow orange grey gray purple white
collector: g1 zgc shenandoah
linter: eslint oxlint biome tslint pylint flake8 golangci-lint rubocop
tree: btree b-tree gin gist brin
template: handlebars liquid mustache jinja jinja2 ejs pug twig thymeleaf freemarker blade erb nunjucks
mesh: istio linkerd cilium consul-connect kuma
secretstore: vault secrets-manager doppler sops sealed-secrets infisical keychain keystore userdefaults sharedpreferences
orchestrator: kubernetes nomad swarm ecs fargate openshift
logstore: loki splunk graylog cloudwatch papertrail datadog
metrics: prometheus graphite statsd victoriametrics
tracing: jaeger zipkin tempo honeycomb lightstep
errors: sentry rollbar bugsnag airbrake
mailer: ses sendgrid mailgun postmark sparkpost mailchimp
payments: stripe adyen paypal braintree klarna mollie
state: redux zustand mobx recoil jotai pinia vuex
styling: tailwind bootstrap sass emotion styled-components
server: fastify koa hapi nestjs hono django flask fastapi rails laravel
migrations: flyway liquibase alembic
queue: sidekiq celery bullmq resque bull rq
vcs: github gitlab bitbucket gitea
dns: route53 clouddns
cdn: cloudfront fastly akamai
shell: zsh ash sh
case: camelcase snake_case kebab-case
formatter: prettier dprint ruff
city: frankfurt dublin ireland virginia oregon ohio london paris singapore sydney tokyo mumbai stockholm amsterdam
`;

const CLASSES: ReadonlyMap<string, string> = new Map(
  ROWS.trim()
    .split('\n')
    .flatMap((row) => {
      const [name = '', members = ''] = row.split(':');
      return members
        .trim()
        .split(' ')
        .map((member) => [stemOf(member), name] as const);
    }),
);
/** Alternative spellings of a name in a row. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  [
    ['utf8', 'utf-8'],
    ['latin1', 'latin-1'],
    ['int', 'integer'],
    ['bool', 'boolean'],
    ['mongo', 'mongodb'],
    ['warning', 'warn'],
    ['sha-256', 'sha256'],
    ['sha-1', 'sha1'],
    ['sha-512', 'sha512'],
    ['oauth2', 'oauth'],
    ['websockets', 'websocket'],
    ['gmt', 'utc'],
    ['b-tree', 'btree'],
    ['yearly', 'annually'],
    ['numeric', 'decimal'],
    ['argon2id', 'argon2'],
    ['nightly', 'daily'],
  ].map(([from = '', to = '']) => [stemOf(from), stemOf(to)]),
);

export const rivalClassOf = (stem: string): string | undefined => CLASSES.get(stem);
export const rivalNameOf = (stem: string): string => SPELLINGS.get(stem) ?? stem;
