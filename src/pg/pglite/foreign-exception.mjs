// Exceptions of the C++ libraries inside the engine (GEOS, PROJ) → SQL errors. PostGIS would make errors of them, but as it is
// compiled for the engine nothing catches an exception: it would end the engine, or be swallowed half way by a function that is
// on the way. So where a library throws, the server is made to raise an error instead: every block that catches errors gets it,
// and the transaction's end frees what the server held. (What the library itself held is lost, a few kilobytes.)

const ERROR = 21; // the level, as in elog.h
const INTERNAL_ERROR = 2600; // XX000, as PostGIS has for whatever is wrong with a geometry

/** To be called with the engine's imports before it is made; `engineOf` is asked when something is thrown. */
export function raiseWhatIsThrown(imports, engineOf) {
  imports.env.__cxa_throw = (thrown, type) => {
    const engine = engineOf();
    const text = engine.stringToNewUTF8(wordsOf(engine, thrown, type));
    engine._errstart(ERROR, 0);
    engine._errcode(INTERNAL_ERROR);
    engine._errmsg_internal(text, 0);
    engine._free(text);
    engine._errfinish(0, 0, 0);
    throw new Error('an SQL error was raised, and the engine went on');
  };
}

function wordsOf(engine, thrown, type) {
  const name = engine.UTF8ToString(engine.HEAPU32[(type + 4) >> 2], 200);
  // Those of GEOS are all runtime errors, which keep their words in one place.
  if (!name.startsWith('N4geos')) return 'the operation is not possible with this geometry or coordinate system';
  // A percent sign would ask for a parameter.
  return `GEOS Error: ${engine.UTF8ToString(engine.__ZNKSt13runtime_error4whatEv(thrown), 300)}`.replaceAll('%', '%%');
}
