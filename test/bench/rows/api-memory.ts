import { CONTESTS, LOAD } from '#test/bench/contests.ts'
import { countedMb, type MemoryParts } from '#test/bench/memory-parts.ts'
import type { Row } from '#test/bench/row.ts'
import { shown } from '#test/bench/table.ts'

/** The most memory that the embedded API takes under load, as a part of what the real one takes. */
export const apiMemory: Row = {
  name: 'api-memory',
  budget: 0.25,
  unit: '×',
  better: 'less',
  needs: 'api-duel',
  async measure(duel) {
    for (const contest of CONTESTS) await duel.scores(contest)
    const embedded = await duel.embedded.memory.peak()
    const real = await duel.real.memory.peak()
    return {
      value: countedMb(embedded) / countedMb(real),
      detail: [
        `${shownParts(embedded)} to ${shownParts(real)} of kube-apiserver and etcd together`,
        `the most at any time during ${CONTESTS.length} contests with ${LOAD}`,
      ].join('; '),
    }
  },
}

const shownParts = (parts: MemoryParts): string =>
  `${shown(countedMb(parts))} MB RSS (${shown(parts.ownMb)} of its own, ${shown(parts.fileMb)} of programs; ${shown(parts.databaseMb)} of the database file not counted)`
