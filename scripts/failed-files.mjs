// What is said of a run of the tests, file by file: which files are worth another run, and what both runs together come to.
// A summary is { files: [{ path, passed, failed }], strays }: errors that belong to no file are strays.

/** More than this did not fail for want of luck. */
const MAX = 12;

/** Files to be run again from their beginning; none where that cannot mend the run. */
export function filesToRunAgain({ files, strays }) {
  const failed = files.filter((file) => file.failed > 0).map(({ path }) => path);
  return strays > 0 || failed.length > MAX ? [] : failed;
}

/** The first run, with the files that were run again as they ended then. */
export function mergeRuns(first, second) {
  const later = new Map(second.files.map((file) => [file.path, file]));
  return {
    files: first.files.map((file) => later.get(file.path) ?? file),
    strays: first.strays + second.strays,
  };
}

export function countRun({ files, strays }) {
  return {
    passed: files.reduce((sum, { passed }) => sum + passed, 0),
    failed: files.reduce((sum, { failed }) => sum + failed, strays),
  };
}
