import { DEMO } from './demo-cluster.ts'

/** What there is to be used, when the demo is up. */
export interface DemoPlaces {
  /** How this program is started. */
  readonly command: string
  /** What the object is called in commands: `tc`. */
  readonly shortName: string
  /** Everything that is shown: `tc,tcp,tw,tm`. */
  readonly shortNames: string
  readonly seconds: number
  /** Files. */
  readonly management: string
  readonly kubeconfig: string
  readonly talosconfig: string
  readonly manifest: string
  readonly log: string
}

/** What is said when the cluster is ready: how to look at it, what to try, and how it ends. */
export const closingWords = (places: DemoPlaces): string => `
The cluster ${DEMO.name} is ready, ${places.seconds.toFixed(1)} s after the start. Its machines are simulated; all else is real.

What the operator was told (${places.manifest}), and what it makes of it:
  export KUBECONFIG=${places.management}
  kubectl get ${places.shortNames}
  kubectl describe ${places.shortName} ${DEMO.name}

The cluster that it made:
  kubectl --kubeconfig ${places.kubeconfig} get nodes -o wide
  talosctl --talosconfig ${places.talosconfig} etcd members

What is next for it, and what an edit of its manifest would do before you make it:
  ${places.command} explain ${places.shortName}/${DEMO.name} --kubeconfig ${places.management}
  ${places.command} diff -f ${places.manifest} --kubeconfig ${places.management}

Take it down again, and see what happens here:
  kubectl --kubeconfig ${places.management} delete ${places.shortName} ${DEMO.name}

The log is ${places.log}. Ctrl-C ends the demo and removes everything.

`

/** What is said while it takes too long. */
export const slowWords = (seconds: number, why: string, log: string): string =>
  `talos-operator: the cluster is not ready after ${seconds} s: ${why}\n` +
  `  what to do: wait, for it is still worked on; ${log} says what was done\n`
