import { median } from '#test/bench/median.ts'
import type { Row } from '#test/bench/row.ts'
import { startSubject } from '#test/bench/subject.ts'
import type { MachineconfigSubject } from '#test/bench/subjects/machineconfig.ts'
import { shown } from '#test/bench/table.ts'

const WARM_UP = 300
const CONFIGURATIONS = 3_000
const BUNDLES = 50
const WITH_RSA = 5

/** How fast machine configurations are made. */
export const machineconfig: Row = {
  name: 'machineconfig',
  budget: 500,
  unit: 'machines/s',
  better: 'more',
  async measure() {
    await using subject = await startSubject<MachineconfigSubject>('machineconfig')
    const { seconds, cpuSeconds, letters } = await subject.ask('configurations', {
      warmUp: WARM_UP,
      count: CONFIGURATIONS,
    })
    return {
      value: CONFIGURATIONS / seconds,
      detail: [
        `generate, read and apply a patch, validate strictly and encode ${shown(letters)} letters, control planes and workers in turn`,
        `one thread, ${shown(cpuSeconds)} s at work in ${shown(seconds)} s; ${shown(CONFIGURATIONS)} after ${shown(WARM_UP)} as warm-up; Talos’ own library makes 108`,
      ].join('; '),
    }
  },
}

/** How long the secrets of a cluster take, but for the RSA key, which needs luck. */
export const machineconfigSecrets: Row = {
  name: 'machineconfig-secrets',
  budget: 50,
  unit: 'ms',
  better: 'less',
  async measure() {
    await using subject = await startSubject<MachineconfigSubject>('machineconfig')
    const [first = 0, ...took] = await subject.ask('bundles', BUNDLES)
    return {
      value: median(took),
      detail: `a bundle of v1.6, which has no RSA key; median of ${BUNDLES}, at most ${shown(Math.max(...took))} ms; the first of the process ${shown(first)} ms`,
    }
  },
}

/** The longest that making keys keeps the operator from everything else. */
export const machineconfigLoop: Row = {
  name: 'machineconfig-loop',
  budget: 20,
  unit: 'ms',
  better: 'less',
  async measure() {
    await using subject = await startSubject<MachineconfigSubject>('machineconfig')
    // What is compiled the first time is no matter of keys.
    await subject.ask('bundles', BUNDLES)
    const { ms, ownMs } = await subject.ask('block', WITH_RSA)
    return {
      value: ms,
      detail: `the longest turn of the event loop, by the clock, while ${WITH_RSA} bundles of v1.13 are made, each with an RSA key; at most ${shown(ownMs)} ms without waiting for a core`,
    }
  },
}
