// Observations → numbers, in the text format that Prometheus reads. The names of the model service are kept; what it does
// not count is called `svrst_…`.

import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { MemoryStats } from '../../http/memory-budget.ts';
import type { TraceStats } from '../../http/tracing/otlp-exporter.ts';
import type { Observe, RequestObservation } from '../../kernel/observation.ts';
import type { PoolStats } from '../../pg/driver.ts';
import type { ReplicaStats } from '../../pg/replicas/replicas.ts';

/** Upper bounds of the latency classes, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

type Latency = { readonly counts: number[]; sum: number; total: number };

export type Metrics = {
  /** For what is told of the program, or of its only database. */
  readonly observe: Observe;
  /** The same for one of several databases. */
  observeOf(database: string): Observe;
  text(): string;
  close(): void;
};

/** What is asked when the numbers are read. */
export type MetricsSources = {
  /** The only one has no name; several have one each, which their samples carry as a label. */
  readonly databases: readonly DatabaseSources[];
  readonly traces?: () => TraceStats | undefined;
  readonly memory?: () => MemoryStats | undefined;
  /** Undefined: there is no portal, or it was not asked yet. */
  readonly operation?: () => OperationCounts | undefined;
};

/** Of the portal: what its queues hold, how its uploads stand, and its mode. All copies of the program see the same. */
type OperationCounts = {
  readonly queues: readonly {
    readonly queue: string;
    readonly waiting: number;
    readonly active: number;
    readonly failed: number;
    readonly waitingSeconds: number;
  }[];
  readonly uploads: readonly { readonly state: string; readonly count: number }[];
  readonly mode: string;
};

type DatabaseSources = {
  readonly name: string | undefined;
  readonly pool: () => PoolStats;
  readonly replicas?: () => readonly ReplicaStats[];
};

export function makeMetrics({ databases, traces, memory, operation }: MetricsSources): Metrics {
  const counted = databases.map((sources) => ({ name: sources.name, counts: countDatabase(sources) }));
  let bugs = 0;
  const jobs = new Map<string, { done: number; failed: number; seconds: number }>();
  const lag: IntervalHistogram = monitorEventLoopDelay({ resolution: 20 });
  lag.enable();
  const observed =
    (counts: DatabaseCounts | undefined): Observe =>
    (observation) => {
      if (observation.kind === 'bug') bugs += 1;
      else if (observation.kind === 'job-ended') {
        // Queues are the program's own, and few.
        const job = jobs.get(observation.queue) ?? { done: 0, failed: 0, seconds: 0 };
        job[observation.end] += 1;
        job.seconds += observation.tookMs / 1000;
        jobs.set(observation.queue, job);
      } else counts?.observe(observation);
    };

  return {
    observe: observed(counted.find(({ name }) => name === undefined)?.counts),
    observeOf: (database) => observed(counted.find(({ name }) => name === database)?.counts),
    text() {
      return [
        ...together(counted.map(({ name, counts }) => labelled(counts.families(), name))),
        ...traceMetrics(traces?.()),
        ...memoryMetrics(memory?.()),
        ...jobMetrics(jobs),
        ...operationMetrics(operation?.()),
        metric('svrst_failures_total', 'counter', 'Unexpected failures', [['', bugs]]),
        metric(
          'svrst_event_loop_lag_seconds',
          'gauge',
          'How late the event loop is, 99th percentile since the last reading',
          [['', lagOf(lag)]],
        ),
        metric('svrst_resident_memory_bytes', 'gauge', 'Memory of the process', [['', process.memoryUsage.rss()]]),
      ]
        .map(familyText)
        .concat('')
        .join('\n');
    },
    close() {
      lag.disable();
    },
  };
}

/** Samples of each name stand together, as the format wants it. */
function together(lists: readonly (readonly Family[])[]): readonly Family[] {
  const byName = new Map<string, Family>();
  for (const family of lists.flat()) {
    const before = byName.get(family.name);
    byName.set(
      family.name,
      before === undefined ? family : { ...before, samples: [...before.samples, ...family.samples] },
    );
  }
  return [...byName.values()];
}

/** Names of databases are letters, digits, `_` and `-`: nothing to escape. */
function labelled(families: readonly Family[], database: string | undefined): readonly Family[] {
  if (database === undefined) return families;
  const label = `database="${database}"`;
  const withLabel = (labels: string): string =>
    labels.endsWith('}') ? labels.replace('{', `{${label},`) : `${labels}{${label}}`;
  return families.map((family) => ({
    ...family,
    samples: family.samples.map(([labels, value]) => [withLabel(labels), value]),
  }));
}

type DatabaseCounts = { readonly observe: Observe; families(): readonly Family[] };

function countDatabase({ pool, replicas = () => [] }: DatabaseSources): DatabaseCounts {
  const requests = new Map<string, { readonly labels: string; count: number }>();
  const latencies = new Map<string, Latency>();
  const loads = { SUCCESS: 0, FAIL: 0 };
  let queryTime = 0;
  let poolTimeouts = 0;
  const cuts = { expired: 0, 'no-longer-allowed': 0 };
  const streams = { open: 0, bytes: 0, complete: 0, 'client-left': 0, 'too-slow': 0, failed: 0 };
  const live = { streams: 0, groups: 0, rows: 0, events: 0, sent: 0, delays: 0, lag: 0, lags: 0 };
  const decoding = { isFollowing: 0, begun: 0, lagBytes: 0 };
  const liveEnds = { 'client-left': 0, 'too-slow': 0, ended: 0, stopping: 0 };

  function countRequest(request: RequestObservation): void {
    const route = routeOf(request);
    const key = `${route}${request.status}`;
    let counted = requests.get(key);
    if (counted === undefined) {
      counted = { labels: `{route="${route}",status="${request.status}"}`, count: 0 };
      requests.set(key, counted);
    }
    counted.count += 1;
    let latency = latencies.get(route);
    if (latency === undefined) {
      latency = { counts: BUCKETS.map(() => 0), sum: 0, total: 0 };
      latencies.set(route, latency);
    }
    const seconds = request.tookMs / 1000;
    const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) latency.counts[bucket] = (latency.counts[bucket] ?? 0) + 1;
    latency.sum += seconds;
    latency.total += 1;
  }

  return {
    observe(observation) {
      switch (observation.kind) {
        case 'request':
          countRequest(observation);
          break;
        case 'schema-loaded':
          loads.SUCCESS += 1;
          queryTime = observation.queryMs / 1000;
          break;
        case 'schema-load-failed':
          loads.FAIL += 1;
          break;
        case 'pool-timeout':
          poolTimeouts += 1;
          break;
        case 'stream-started':
          streams.open += 1;
          break;
        case 'stream-ended':
          streams.open -= 1;
          streams.bytes += observation.bytes;
          streams[observation.how] += 1;
          break;
        case 'live-now':
          live.streams = observation.streams;
          live.groups = observation.groups;
          live.rows = observation.rows;
          break;
        case 'live-ended':
          live.streams -= 1;
          liveEnds[observation.ending] += 1;
          break;
        case 'live-told':
          live.events += observation.events;
          live.sent += observation.events * observation.listeners;
          if (observation.lagMs === undefined) break;
          live.lag += observation.lagMs / 1000;
          live.lags += 1;
          break;
        case 'live-delayed':
          live.delays += 1;
          break;
        case 'live-decoding':
          decoding.isFollowing = observation.message === undefined ? 1 : 0;
          decoding.begun += decoding.isFollowing;
          break;
        case 'live-decoding-lag':
          decoding.lagBytes = observation.bytes;
          break;
        case 'stream-cut':
          cuts[observation.why] += 1;
          break;
        default:
          break;
      }
    },
    families() {
      const { max, open, idle, waiting, waits, waitedMs } = pool();
      return [
        metric(
          'pgrst_schema_cache_query_time_seconds',
          'gauge',
          'The query time in seconds of the last schema cache load',
          [['', queryTime]],
        ),
        metric('pgrst_schema_cache_loads_total', 'counter', 'The total number of times the schema cache was loaded', [
          ['{status="FAIL"}', loads.FAIL],
          ['{status="SUCCESS"}', loads.SUCCESS],
        ]),
        metric('pgrst_db_pool_timeouts_total', 'counter', 'The total number of pool connection timeouts', [
          ['', poolTimeouts],
        ]),
        metric('pgrst_db_pool_available', 'gauge', 'Available connections in the pool', [['', max - (open - idle)]]),
        metric('pgrst_db_pool_waiting', 'gauge', 'Requests waiting to acquire a pool connection', [['', waiting]]),
        metric('svrst_db_pool_wait_seconds', 'summary', 'Time spent waiting for a pool connection', [
          ['_sum', waitedMs / 1000],
          ['_count', waits],
        ]),
        metric('pgrst_db_pool_max', 'gauge', 'Max pool connections', [['', max]]),
        metric(
          'svrst_requests_total',
          'counter',
          'Answered requests by route and status',
          [...requests.values()].map(({ labels, count }) => [labels, count]),
        ),
        metric(
          'svrst_request_duration_seconds',
          'histogram',
          'Time from the complete request to its answer, by route',
          [...latencies].flatMap(([route, latency]) => histogram(route, latency)),
        ),
        metric('svrst_streams_open', 'gauge', 'Streamed answers that the database makes rows for', [
          ['', streams.open],
        ]),
        metric(
          'svrst_streams_total',
          'counter',
          'Streamed answers by how they ended',
          (['complete', 'client-left', 'too-slow', 'failed'] as const).map((how) => [`{end="${how}"}`, streams[how]]),
        ),
        metric(
          'svrst_streams_cut_total',
          'counter',
          'Streamed answers that were cut off because their caller may no longer read them',
          (['expired', 'no-longer-allowed'] as const).map((why) => [`{why="${why}"}`, cuts[why]]),
        ),
        metric('svrst_stream_bytes_total', 'counter', 'Bytes of streamed answers', [['', streams.bytes]]),
        metric('svrst_live_streams', 'gauge', 'Live streams that are open', [['', live.streams]]),
        metric('svrst_live_groups', 'gauge', 'Different reads and callers of live streams', [['', live.groups]]),
        metric('svrst_live_rows', 'gauge', 'Rows that live streams remember', [['', live.rows]]),
        metric('svrst_live_events_total', 'counter', 'Changes that listeners were told of', [['', live.events]]),
        metric('svrst_live_sent_total', 'counter', 'The same, counted for each listener', [['', live.sent]]),
        metric(
          'svrst_live_ended_total',
          'counter',
          'Live streams by how they ended',
          (['client-left', 'too-slow', 'ended', 'stopping'] as const).map((how) => [`{end="${how}"}`, liveEnds[how]]),
        ),
        metric('svrst_live_lag_seconds', 'summary', 'Time from a change to its telling', [
          ['_sum', live.lag],
          ['_count', live.lags],
        ]),
        metric('svrst_live_delays_total', 'counter', 'Reads of live streams that had to be tried again', [
          ['', live.delays],
        ]),
        metric('svrst_live_decoding', 'gauge', 'Processes whose live streams are told by logical decoding', [
          ['', decoding.isFollowing],
        ]),
        metric(
          'svrst_live_decoding_connections_total',
          'counter',
          'How often logical decoding has begun, or begun again',
          [['', decoding.begun]],
        ),
        metric('svrst_live_decoding_lag_bytes', 'gauge', "Bytes of the server's log not decoded yet", [
          ['', decoding.lagBytes],
        ]),
        ...replicaMetrics(replicas()),
      ];
    },
  };
}

type JobCounts = ReadonlyMap<string, { readonly done: number; readonly failed: number; readonly seconds: number }>;

/** None before the first job. */
function jobMetrics(jobs: JobCounts): readonly Family[] {
  if (jobs.size === 0) return [];
  return [
    metric(
      'svrst_jobs_total',
      'counter',
      'Attempts at jobs by queue and how they ended',
      [...jobs].flatMap(([queue, { done, failed }]) => [
        [`{queue="${queue}",end="done"}`, done] as const,
        [`{queue="${queue}",end="failed"}`, failed] as const,
      ]),
    ),
    metric(
      'svrst_job_duration_seconds',
      'summary',
      'Time that attempts at jobs took, by queue',
      [...jobs].flatMap(([queue, { done, failed, seconds }]) => [
        [`_sum{queue="${queue}"}`, seconds] as const,
        [`_count{queue="${queue}"}`, done + failed] as const,
      ]),
    ),
  ];
}

const MODES = ['normal', 'read-only', 'maintenance'] as const;

/** None where there is no portal. */
function operationMetrics(counts: OperationCounts | undefined): readonly Family[] {
  if (counts === undefined) return [];
  const { queues, uploads, mode } = counts;
  return [
    metric(
      'svrst_queue_jobs',
      'gauge',
      'Jobs of the portal by queue and state, over all copies of the program',
      queues.flatMap(({ queue, ...states }) =>
        (['waiting', 'active', 'failed'] as const).map(
          (state) => [`{queue="${queue}",state="${state}"}`, states[state]] as const,
        ),
      ),
    ),
    metric(
      'svrst_queue_wait_seconds',
      'gauge',
      'How long the oldest job of a queue has waited',
      queues.map(({ queue, waitingSeconds }) => [`{queue="${queue}"}`, waitingSeconds]),
    ),
    metric(
      'svrst_uploads',
      'gauge',
      'Uploads of the portal by state',
      uploads.map(({ state, count }) => [`{state="${state}"}`, count]),
    ),
    metric(
      'svrst_service_mode',
      'gauge',
      'Which mode of service is in force (1)',
      MODES.map((one) => [`{mode="${one}"}`, Number(one === mode)]),
    ),
  ];
}

function memoryMetrics(stats: MemoryStats | undefined): readonly Family[] {
  if (stats === undefined) return [];
  return [
    metric('svrst_memory_max_bytes', 'gauge', 'Most memory for requests and answers under way', [['', stats.limit]]),
    metric('svrst_memory_held_bytes', 'gauge', 'Memory of requests and answers under way', [['', stats.held]]),
    metric('svrst_answers_on_disk_total', 'counter', 'Answers that waited on disk for their clients', [
      ['', stats.onDisk],
    ]),
    metric('svrst_memory_refusals_total', 'counter', 'Requests that found no memory', [['', stats.refused]]),
  ];
}

/** None where nothing is traced. */
function traceMetrics(stats: TraceStats | undefined): readonly Family[] {
  if (stats === undefined) return [];
  return [
    metric('svrst_spans_exported_total', 'counter', 'Spans of traces that the collector took', [['', stats.exported]]),
    metric('svrst_spans_dropped_total', 'counter', 'Spans of traces that were dropped', [['', stats.dropped]]),
  ];
}

/** None where there are no replicas. */
function replicaMetrics(replicas: readonly ReplicaStats[]): readonly Family[] {
  if (replicas.length === 0) return [];
  const each = (value: (replica: ReplicaStats) => number | undefined): readonly Sample[] =>
    replicas.flatMap((replica) => {
      const found = value(replica);
      return found === undefined ? [] : [[`{server="${replica.server}"}`, found] as const];
    });
  return [
    metric(
      'svrst_replica_usable',
      'gauge',
      'Whether reads go to the replica',
      each(({ usable }) => Number(usable)),
    ),
    metric(
      'svrst_replica_lag_seconds',
      'gauge',
      'How far the replica is behind the primary',
      each(({ lagSeconds }) => lagSeconds),
    ),
    metric(
      'svrst_replica_reads_total',
      'counter',
      'Reads that the replica answered',
      each(({ reads }) => reads),
    ),
    metric(
      'svrst_replica_reads_handed_on_total',
      'counter',
      'Reads that the replica could not answer, and another server did',
      each(({ handedOn }) => handedOn),
    ),
    metric(
      'svrst_replica_connections',
      'gauge',
      'Open connections to the replica for reads',
      each(({ connections }) => connections),
    ),
  ];
}

/** First parts of addresses of portal and map services; whatever else is asked for is one of the pages. */
const PORTAL_ROUTES: ReadonlySet<string> = new Set([
  'account',
  'api',
  'assets',
  'basemaps',
  'csw',
  'documents',
  'download',
  'fonts',
  'health',
  'maps',
  'metadata',
  'o',
  'ogc',
  'records',
  'sprites',
  'stac',
  'styles',
  'thumbs',
  'tiles',
  'uploads',
  'wcs',
  'wfs',
  'wms',
  'wmts',
]);

function portalRoute(target: string): string {
  const [, first = ''] = /^\/([a-z0-9]{1,20})(?:[/?]|$)/.exec(target) ?? [];
  return PORTAL_ROUTES.has(first) ? `portal ${first}` : 'portal pages';
}

function routeOf({ service, method, target }: RequestObservation): string {
  if (service === 'portal') return portalRoute(target);
  if (service !== 'rest') return service;
  if (target === '/' || target.startsWith('/?')) return 'root';
  if (target.startsWith('/rpc/')) return method === 'OPTIONS' ? 'options' : 'call';
  switch (method) {
    case 'GET':
    case 'HEAD':
    case 'QUERY':
      return 'read';
    case 'POST':
      return 'insert';
    case 'PUT':
      return 'upsert';
    case 'PATCH':
      return 'update';
    case 'DELETE':
      return 'delete';
    case 'OPTIONS':
      return 'options';
    default:
      return 'other';
  }
}

type Sample = readonly [labels: string, value: number];

/** All samples of one name. `labels` is what goes after it: labels, with a suffix of the name before them where the type has some. */
type Family = {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
};

function metric(name: string, type: string, help: string, samples: readonly Sample[]): Family {
  return { name, type, help, samples };
}

function familyText({ name, type, help, samples }: Family): string {
  const lines = samples.map(([labels, value]) => `${name}${labels} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join('\n');
}

function histogram(route: string, { counts, sum, total }: Latency): readonly Sample[] {
  let below = 0;
  return [
    ...BUCKETS.map((bound, i): Sample => {
      below += counts[i] ?? 0;
      return [`_bucket{route="${route}",le="${bound}"}`, below];
    }),
    [`_bucket{route="${route}",le="+Inf"}`, total],
    [`_sum{route="${route}"}`, sum],
    [`_count{route="${route}"}`, total],
  ];
}

function lagOf(lag: IntervalHistogram): number {
  const nanoseconds = lag.percentile(99);
  lag.reset();
  return nanoseconds > 0 ? nanoseconds / 1e9 : 0;
}
