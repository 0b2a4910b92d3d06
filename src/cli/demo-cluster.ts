import type { DemoAddresses, DemoSize } from './demo-addresses.ts'
import { metalManifest } from './metal-manifest.ts'

/** What the cluster of the demo is called, and where it is. */
export const DEMO = { name: 'demo', namespace: 'default' }

/** What the machines boot. */
export const DEMO_TALOS = 'v1.13.0'
export const DEMO_KUBERNETES = 'v1.35.0'

/** The manifest of the demo: what a user would write for these machines. */
export const demoCluster = (
  { addresses, kubernetesPort }: DemoAddresses,
  { controlPlanes }: DemoSize,
) =>
  metalManifest({
    ...{ ...DEMO, talos: DEMO_TALOS, kubernetes: DEMO_KUBERNETES },
    ...{ addresses, controlPlanes, kubernetesPort },
  })
