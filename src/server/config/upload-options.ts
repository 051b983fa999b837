// The settings of uploads and of the place that keeps files.

import { type OptionTable, optionsIn } from '../../kernel/options/option.ts';
import { byteSize } from '../../kernel/options/types/byte-size.ts';
import { oneOf } from '../../kernel/options/types/one-of.ts';
import { optional } from '../../kernel/options/types/optional.ts';
import { type ShareOrSize, shareOrSize } from '../../kernel/options/types/share-or-size.ts';
import { text } from '../../kernel/options/types/text.ts';
import { truth } from '../../kernel/options/types/truth.ts';
import { wholeNumber } from '../../kernel/options/types/whole-number.ts';
import { isPlainHttpAddress } from '../../rest/config/types/uri.ts';

export type UploadConfig = {
  /** Of all files of one upload together, in bytes. */
  readonly uploadMaxSize: number;
  readonly uploadMaxFiles: number;
  /** Records of uploads are kept for so long after they have ended. */
  readonly uploadDays: number;
  /** Imports that one process works on at once. */
  readonly importWorkers: number;
  readonly importGdal: 'auto' | 'native' | 'wasm';
  /** Bytes that the process which reads a file may use. */
  readonly importMaxMemory: number;
  /** Seconds. */
  readonly importMaxTime: number;
  /** Bytes that the content of an archive may have. */
  readonly importMaxUnpacked: number;
  /** Less free space than this is told of. */
  readonly freeSpaceWarning: ShareOrSize;
  /** Undefined: files are kept in a folder of `data-dir`. */
  readonly s3Bucket: string | undefined;
  readonly s3Endpoint: string | undefined;
  readonly s3Region: string;
  readonly s3Prefix: string | undefined;
  readonly s3PathStyle: boolean;
  readonly s3AccessKey: string | undefined;
  readonly s3SecretKey: string | undefined;
};

const UPLOADS = 'Uploads';
const FILES = 'Files';

const uploads = optionsIn(UPLOADS, { reloadable: false });
const files = optionsIn(FILES, { reloadable: false });
export const UPLOAD_SECTIONS: readonly string[] = [UPLOADS, FILES];

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

export const uploadOptions: OptionTable<UploadConfig> = {
  uploadMaxSize: uploads({
    name: 'upload-max-size',
    doc: 'How large the files of one upload may be, all together.',
    type: byteSize({ min: 1024, max: 1024 ** 4 }),
    default: 4 * GIB,
    defaultWords: '4 GiB',
    example: '"500MB"',
  }),
  uploadMaxFiles: uploads({
    name: 'upload-max-files',
    doc: 'How many files one upload may have; a shapefile that is not zipped has several.',
    type: wholeNumber({ min: 1, max: 1000 }),
    default: 20,
  }),
  uploadDays: uploads({
    name: 'upload-days',
    doc: 'Days for which an upload is kept that has ended, or waits for an answer, with its files; the newest upload of a layer is kept as long as the layer.',
    type: wholeNumber({ min: 1, max: 36_500 }),
    default: 90,
  }),
  importWorkers: uploads({
    name: 'import-workers',
    doc: 'How many imports one process works on at once. Of several workers one is for uploads of up to 10 MB, which so overtake large ones.',
    type: wholeNumber({ min: 1, max: 64 }),
    default: 2,
  }),
  importGdal: uploads({
    name: 'import-gdal',
    doc: 'Which GDAL reads the files: the programs `ogr2ogr` and `gdal_translate` of the machine, which are faster and run in a sandbox only (bubblewrap), or the one that comes with Survest; auto takes the first where they are installed and the sandbox was seen to hold.',
    type: oneOf(['auto', 'native', 'wasm']),
    default: 'auto',
  }),
  importMaxMemory: uploads({
    name: 'import-max-memory',
    doc: 'How much memory reading one file may take; an import that needs more fails.',
    type: byteSize({ min: 256 * MIB, max: 1024 * GIB }),
    default: 2 * GIB,
    defaultWords: '2 GiB',
    example: '"4GiB"',
  }),
  importMaxTime: uploads({
    name: 'import-max-time',
    doc: 'How long reading one file may take; an import that needs longer fails.',
    type: wholeNumber({ min: 1, max: 12 * 3600, unit: 'seconds' }),
    default: 3600,
  }),
  importMaxUnpacked: uploads({
    name: 'import-max-unpacked',
    doc: 'How large the content of an archive may be.',
    type: byteSize({ min: MIB, max: 10 * 1024 ** 4 }),
    default: 20 * GIB,
    defaultWords: '20 GiB',
    example: '"2GiB"',
  }),
  freeSpaceWarning: files({
    name: 'free-space-warning',
    doc: 'With less free space than this on the disk of `data-dir` or of the folder for temporary files, `/ready` and `survest status` warn, and the log says so once.',
    type: shareOrSize,
    default: { kind: 'percent', percent: 5 },
    example: '"2GB"',
  }),
  s3Bucket: files({
    name: 's3-bucket',
    doc: 'Bucket of an S3-compatible store that keeps all files; without it they are kept in `data-dir`.',
    type: optional(
      text({
        accepts: 'the name of a bucket',
        complaint: (value) =>
          /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value) ? undefined : 'is not the name of a bucket',
      }),
    ),
    default: undefined,
    example: '"survest-files"',
  }),
  s3Endpoint: files({
    name: 's3-endpoint',
    doc: 'Address of the S3-compatible store; without it the one of Amazon in `s3-region`.',
    type: optional(
      text({
        accepts: 'an http or https address, such as https://minio.example.org',
        complaint: (value) => (isPlainHttpAddress(value) ? undefined : 'is not an address'),
      }),
    ),
    default: undefined,
    example: '"https://minio.example.org"',
  }),
  s3Region: files({
    name: 's3-region',
    doc: 'Region that requests to the store are signed for.',
    type: text({ accepts: 'the name of a region' }),
    default: 'us-east-1',
  }),
  s3Prefix: files({
    name: 's3-prefix',
    doc: 'What all keys in the bucket begin with, where the bucket is shared.',
    type: optional(
      text({
        accepts: 'letters, digits, ., _, - and /',
        complaint: (value) => (/^[A-Za-z0-9._\-/]+$/.test(value) ? undefined : 'has other characters'),
      }),
    ),
    default: undefined,
    example: '"portal/"',
  }),
  s3PathStyle: files({
    name: 's3-path-style',
    doc: 'The bucket stands in the path of addresses and not in the host name, as most stores other than Amazon’s want it.',
    type: truth,
    default: true,
  }),
  s3AccessKey: files({
    name: 's3-access-key',
    doc: 'Name of the key that requests to the store are signed with.',
    type: optional(text({ accepts: 'text, or @ and the path of a file' })),
    default: undefined,
    secret: true,
    onCommandLine: false,
    fileReference: true,
    example: '"@/run/secrets/s3-access-key"',
  }),
  s3SecretKey: files({
    name: 's3-secret-key',
    doc: 'The key that requests to the store are signed with.',
    type: optional(text({ accepts: 'text, or @ and the path of a file' })),
    default: undefined,
    secret: true,
    onCommandLine: false,
    fileReference: true,
    example: '"@/run/secrets/s3-secret-key"',
  }),
};
