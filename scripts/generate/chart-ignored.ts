// Values of the published charts that have no meaning here. Who asks for something by one reads so after an installation.

const IN_SPEC = 'every KubernetesCluster says it for itself, in its spec'
const PROVIDED = 'machines are made by their provider, from the machineTemplate'
const DRIFT = 'a cluster is made of what its own spec names, and of nothing else'

/** Why each has no effect. It ends the sentence "… has no effect: …". */
export const chartIgnored: Readonly<Record<string, string>> = {
  installCRDs: 'the CRDs are a chart of their own, talos-operator-crds, and stay when it goes',
  ui: 'there is no web UI yet',
  ingress: 'there is no web UI yet',
  pxeBootStack: 'booting machines over the network (PXE) is not supported',
  autoscaling: 'one pod works, and more of them stand by: replicaCount says how many',
  endpointMode: IN_SPEC,
  customEndpoint: IN_SPEC,
  talos: IN_SPEC,
  bootImageSource: PROVIDED,
  bootImage: PROVIDED,
  vitistackName: PROVIDED,
  kubernetesProviderName: PROVIDED,
  tenant: DRIFT,
  secretPrefix: 'the name of a Secret follows from the name of its cluster',
}
