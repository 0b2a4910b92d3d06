// Values of the published charts that have no meaning here. The notes after an installation name those that are set.

const IN_SPEC = 'every KubernetesCluster sets it in its own spec'
const PROVIDED = 'machines are created by their provider, from the machineTemplate'
const DRIFT = 'a cluster follows from its own spec alone'

/** Why each has no effect. It ends the sentence "… has no effect: …". */
export const chartIgnored: Readonly<Record<string, string>> = {
  installCRDs:
    'the CRDs are in a chart of their own, talos-operator-crds, and stay when it is uninstalled',
  ui: 'there is no web UI yet',
  ingress: 'there is no web UI yet',
  pxeBootStack: 'booting machines over the network (PXE) is not supported',
  autoscaling: 'one pod is active, and others only stand by: set replicaCount',
  endpointMode: IN_SPEC,
  customEndpoint: IN_SPEC,
  talos: IN_SPEC,
  bootImageSource: PROVIDED,
  bootImage: PROVIDED,
  vitistackName: PROVIDED,
  kubernetesProviderName: PROVIDED,
  tenant: DRIFT,
  secretPrefix: 'the name of a Secret is derived from the name of its cluster',
}
