import type { Field, Struct } from '#machineconfig/shapes/shape.ts'

// What Talos itself would redact, and what else can only be a secret or often holds one: contents of
// files and manifests, variables and headers, credentials of registries, providers and peers.
const fieldsByStruct: Readonly<Record<string, readonly string[]>> = {
  'block.EncryptionKeyStatic': ['passphrase'],
  'cluster.DiscoveryIdentityConfigV1Alpha1': ['clusterSecret'],
  'container.ContainerConfigV1Alpha1': ['environment', 'args', 'entrypoint'],
  'cri.CRICustomizationConfigV1Alpha1': ['content'],
  'cri.RegistryAuthConfigV1Alpha1': ['password', 'auth', 'identityToken'],
  'extensions.ConfigFile': ['content'],
  'extensions.ServiceConfigV1Alpha1': ['environment'],
  'k8s.IssuerServiceAccountConfig': ['privateKey'],
  'k8s.KubeAPIServerConfigV1Alpha1': ['env'],
  'k8s.KubeControllerManagerConfigV1Alpha1': ['env'],
  'k8s.KubeEtcdEncryptionConfigV1Alpha1': ['config'],
  'k8s.KubeExternalManifestConfigV1Alpha1': ['headers'],
  'k8s.KubeInlineManifestConfigV1Alpha1': ['manifest'],
  'k8s.KubeSchedulerConfigV1Alpha1': ['env'],
  'meta.CertificateAndKey': ['key'],
  'network.HCloudVIPConfigV1Alpha1': ['apiToken'],
  'network.WireguardConfigV1Alpha1': ['privateKey'],
  'network.WireguardPeer': ['presharedKey'],
  'runtime.EnvironmentV1Alpha1': ['variables'],
  'runtime.EtcFileConfigV1Alpha1': ['contents'],
  'siderolink.ConfigV1Alpha1': ['apiUrl', 'uniqueToken'],
  'v1alpha1.APIServerConfig': ['env'],
  'v1alpha1.ClusterConfig': [
    'secret',
    'token',
    'aescbcEncryptionSecret',
    'secretboxEncryptionSecret',
    'extraManifestHeaders',
  ],
  'v1alpha1.ClusterInlineManifest': ['contents'],
  'v1alpha1.ControllerManagerConfig': ['env'],
  'v1alpha1.DeviceWireguardConfig': ['privateKey'],
  'v1alpha1.EncryptionKeyStatic': ['passphrase'],
  'v1alpha1.MachineConfig': ['token', 'env'],
  'v1alpha1.MachineFile': ['content'],
  'v1alpha1.RegistryAuthConfig': ['password', 'auth', 'identityToken'],
  'v1alpha1.SchedulerConfig': ['env'],
  'v1alpha1.VIPEquinixMetalConfig': ['apiToken'],
  'v1alpha1.VIPHCloudConfig': ['apiToken'],
  'x509.PEMEncodedCertificateAndKey': ['key'],
  'x509.PEMEncodedKey': ['key'],
}

// In what is free-form, and in documents of versions to come.
const TELLING_NAME = /pass(word|phrase|wd)|secret|token|private.?key|credential|api.?key|\bauth\b/i

// And base64 of it, wherever it begins in a group of three.
const PRIVATE_KEY = /PRIVATE KEY|UFJJVkFURSBLRV|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW/
// Of the scheme its last sign alone: with all of them, a long text without any would be gone through again from each of its signs.
const URL_WITH_USER = /[a-z0-9+.-]:\/\/[^/?#\s]*@/i
const TELLING_PARAMETER = /(?:token|secret|pass(?:word|phrase|wd)?|api.?key)=[^&\s]/i

/** Whether all that is in a field must not be seen. */
export const isSecretField = ({ name: struct }: Struct, { name }: Field): boolean =>
  fieldsByStruct[struct]?.includes(name) ?? false

/** Whether the name of a key alone says that its value must not be seen. */
export const isTellingName = (key: string): boolean => TELLING_NAME.test(key)

/**
 * Whether a text must not be seen wherever it stands: a private key, a URL that says who asks, or such as
 * `siderolink.api=https://a/?jointoken=b` among the arguments of a kernel.
 */
export const isTellingText = (text: string): boolean =>
  PRIVATE_KEY.test(text) || URL_WITH_USER.test(text) || TELLING_PARAMETER.test(text)

/** For the test that holds this list against the shapes. */
export const secretStructs = fieldsByStruct
