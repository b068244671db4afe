// better-sqlite3 on a disk that fails when it is told to: `YARNBOARD_SQLITE` names this file. Whoever requires it gets at the same `disk`.
const Database = require('better-sqlite3');

/**
 * `commit`: what a commit on `board.db` comes to while it is set. `kept`: it is on the disk, and fails all the same, as where a sync fails; `lost`: it
 * fails and is not there. `isStuck`: whatever is tried to find out fails, too. `index`: the search index cannot be written to.
 */
const disk = { commit: null, isStuck: false, index: null };

const diskError = (code = 'SQLITE_IOERR_FSYNC') => new Database.SqliteError('disk I/O error', code);

class FailingDatabase extends Database {
  isBoard() {
    return this.name.endsWith('board.db');
  }

  transaction(work) {
    const real = super.transaction(work);
    const lost = super.transaction((...args) => {
      work(...args);
      throw diskError();
    });
    const run =
      (how) =>
      (...args) => {
        if (!this.isBoard() && disk.index !== null) throw diskError(disk.index);
        if (!this.isBoard() || disk.commit === null) return real[how](...args);
        if (disk.commit === 'lost') return lost[how](...args);
        real[how](...args);
        throw diskError();
      };
    return Object.assign(run('default'), {
      default: run('default'),
      deferred: run('deferred'),
      immediate: run('immediate'),
      exclusive: run('exclusive'),
    });
  }

  pragma(text, options) {
    if (this.isBoard() && disk.isStuck && text.startsWith('user_version = ')) throw diskError();
    return super.pragma(text, options);
  }
}

module.exports = Object.assign(FailingDatabase, { disk, SqliteError: Database.SqliteError });
