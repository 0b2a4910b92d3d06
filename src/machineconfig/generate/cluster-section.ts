import type { ValueMap } from '#machineconfig/document.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { encodedPem } from '#machineconfig/secrets/encoded-pem.ts'
import { certificateAndKey, certificateOnly } from './certificates.ts'
import { componentImage } from './component-image.ts'
import { defaultAdmissionControl, defaultAuditPolicy } from './default-policies.ts'
import type { Endpoint } from './endpoint.ts'
import type { ClusterOptions, Cni, Role } from './options.ts'

const DNS_DOMAIN = 'cluster.local'
const POD_SUBNETS = ['10.244.0.0/16']
const SERVICE_SUBNETS = ['10.96.0.0/12']

/** What stands under `cluster`. */
export function clusterSection(
  role: Role,
  options: ClusterOptions & { readonly reached: Endpoint },
  form: number,
): ValueMap {
  const { secrets, discovery = true } = options
  const isControlPlane = role === 'controlplane'
  return {
    id: secrets.cluster.id,
    secret: secrets.cluster.secret.open(),
    controlPlane: {
      endpoint: options.reached.url,
      ...(isControlPlane &&
        options.localApiServerPort !== undefined && {
          localAPIServerPort: options.localApiServerPort,
        }),
    },
    ...((isControlPlane || form >= 8) && { clusterName: options.clusterName }),
    network: networkSection(options),
    token: secrets.bootstrapToken.open(),
    ca: isControlPlane
      ? certificateAndKey(secrets.kubernetes)
      : certificateOnly(secrets.kubernetes),
    ...(isControlPlane && controlPlaneKeys(secrets)),
    ...(isControlPlane && controlPlaneParts(options, form)),
    discovery: { enabled: discovery, registries: { kubernetes: { disabled: true } } },
  }
}

function networkSection(options: ClusterOptions): ValueMap {
  const { cni, dnsDomain = DNS_DOMAIN, podSubnets = [], serviceSubnets = [] } = options
  return {
    ...(cni && { cni: cniSection(cni) }),
    ...(dnsDomain && { dnsDomain }),
    podSubnets: podSubnets.length > 0 ? podSubnets : POD_SUBNETS,
    serviceSubnets: serviceSubnets.length > 0 ? serviceSubnets : SERVICE_SUBNETS,
  }
}

function cniSection(cni: Cni): ValueMap {
  if (cni.name === 'none') return { name: cni.name }
  if (cni.name === 'custom') return { name: cni.name, urls: cni.urls }
  const { extraArgs, kubeNetworkPolicies } = cni
  const flannel: ValueMap = {
    ...(extraArgs && { extraArgs }),
    ...(kubeNetworkPolicies !== undefined && { kubeNetworkPoliciesEnabled: kubeNetworkPolicies }),
  }
  return { name: cni.name, ...(Object.keys(flannel).length > 0 && { flannel }) }
}

function controlPlaneKeys(secrets: SecretsBundle): ValueMap {
  const { as, secret } = secrets.encryption
  return {
    // Also for later forms, where talosctl drops it: without it what lies in etcd is not readable.
    ...(as === 'aescbc'
      ? { aescbcEncryptionSecret: secret.open() }
      : { secretboxEncryptionSecret: secret.open() }),
    aggregatorCA: certificateAndKey(secrets.aggregator),
    serviceAccount: { key: encodedPem(secrets.serviceAccountKey.open()) },
    etcd: { ca: certificateAndKey(secrets.etcd) },
  }
}

function controlPlaneParts(
  options: ClusterOptions & { readonly reached: Endpoint },
  form: number,
): ValueMap {
  const { additionalSans = [] } = options
  const certSANs = form < 12 ? [options.reached.host, ...additionalSans] : additionalSans
  return {
    apiServer: {
      ...componentImage(options, 'apiServer'),
      ...(certSANs.length > 0 && { certSANs }),
      ...(form < 12 && { disablePodSecurityPolicy: true }),
      admissionControl: defaultAdmissionControl,
      auditPolicy: defaultAuditPolicy,
    },
    controllerManager: componentImage(options, 'controllerManager'),
    proxy: componentImage(options, 'proxy'),
    scheduler: componentImage(options, 'scheduler'),
    ...(options.allowSchedulingOnControlPlanes && { allowSchedulingOnControlPlanes: true }),
  }
}
