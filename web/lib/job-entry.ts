// What the portal lists of a person's work → what the head of the pages shows of it: all that is under way, and what ended within a day. Pure.

export type JobState = 'waiting' | 'running' | 'asks' | 'done' | 'failed';

export type JobEntry = {
  /** Of the upload. */
  readonly id: number;
  readonly title: string;
  readonly state: JobState;
  /** A layer is made of layers; otherwise files are imported. */
  readonly isProcess: boolean;
  /** In percent. */
  readonly progress: number;
  /** Where its result is, or what there is to be said about it. */
  readonly page: string;
};

export type ListedJob = {
  readonly name: string;
  readonly action: string;
  readonly status: 'ready' | 'running' | 'failed' | 'finished';
  readonly step: string | null;
  readonly progress: number;
  readonly finished: string | null;
  readonly input_params: Readonly<Record<string, unknown>>;
  readonly output_params: { readonly resources: readonly { readonly id: number }[] };
};

const LATELY_MS = 86_400_000;

/** `now`: in milliseconds. */
export function jobEntries(listed: readonly ListedJob[], now: number): readonly JobEntry[] {
  return listed.flatMap((job): readonly JobEntry[] => {
    const { upload_id: id, title } = job.input_params;
    const isOld = job.finished !== null && now - Date.parse(job.finished) > LATELY_MS;
    if (typeof id !== 'number' || isOld) return [];
    const [layer, ...others] = job.output_params.resources;
    return [
      {
        id,
        title: typeof title === 'string' && title !== '' ? title : job.name,
        state: stateOf(job),
        isProcess: job.action === 'process',
        progress: job.progress,
        page: layer === undefined || others.length > 0 ? `/add/${id}` : `/layers/${layer.id}`,
      },
    ];
  });
}

function stateOf({ status, step }: ListedJob): JobState {
  switch (status) {
    case 'ready':
      return 'waiting';
    case 'running':
      return step === 'waiting' ? 'asks' : 'running';
    case 'failed':
      return 'failed';
    case 'finished':
      return 'done';
  }
}

/** Of what an upload's own news call it. */
export function stateOfNews(state: string): JobState {
  switch (state) {
    case 'READY':
      return 'waiting';
    case 'WAITING':
      return 'asks';
    case 'PROCESSED':
      return 'done';
    case 'INVALID':
    case 'INCOMPLETE':
      return 'failed';
    default:
      return 'running';
  }
}

export function isOver(state: JobState): boolean {
  return state === 'done' || state === 'failed';
}
