// What v1.14 has beyond the sources that the generated table is made of. Written by hand in the form of that
// table (see table.ts), from the documents that v1.14 describes: which of its values are pointers is a guess.

export const laterDocuments: readonly string[] = [
  'BGPInstanceConfig network.BGPInstanceConfigV1Alpha1 named @14',
  'CRIBaseRuntimeSpecConfig cri.BaseRuntimeSpecConfigV1Alpha1 @14',
  'CRICustomizationConfig cri.CustomizationConfigV1Alpha1 named @14',
  'ContainerConfig container.ConfigV1Alpha1 named @14',
  'DiscoveryIdentityConfig cluster.DiscoveryIdentityConfigV1Alpha1 @14',
  'EtcFileConfig runtime.EtcFileConfigV1Alpha1 named @14',
  'FilesystemScrubConfig block.FilesystemScrubConfigV1Alpha1 @14',
  'KernelModuleConfig runtime.KernelModuleConfigV1Alpha1 named @14',
  'KubeAPIServerCAConfig k8s.KubeAPIServerCAConfigV1Alpha1 @14',
  'KubeAggregatorCAConfig k8s.KubeAggregatorCAConfigV1Alpha1 @14',
  'KubeClusterConfig k8s.KubeClusterConfigV1Alpha1 @14',
  'KubeCoreDNSConfig k8s.KubeCoreDNSConfigV1Alpha1 @14',
  'KubeCredentialProviderConfig k8s.KubeCredentialProviderConfigV1Alpha1 @14',
  'KubeExternalManifestConfig k8s.KubeExternalManifestConfigV1Alpha1 named @14',
  'KubeInlineManifestConfig k8s.KubeInlineManifestConfigV1Alpha1 named @14',
  'KubeNodeConfig k8s.KubeNodeConfigV1Alpha1 @14',
  'KubePrismConfig k8s.KubePrismConfigV1Alpha1 @14',
  'KubeServiceAccountConfig k8s.KubeServiceAccountConfigV1Alpha1 @14',
  'KubeStaticPodConfig k8s.KubeStaticPodConfigV1Alpha1 named @14',
  'KubeTalosAPIAccessConfig k8s.KubeTalosAPIAccessConfigV1Alpha1 @14',
  'KubeletConfig k8s.KubeletConfigV1Alpha1 @14',
  'RAIDArrayConfig storage.RAIDArrayConfigV1Alpha1 named @14',
  'SecurityProfileConfig runtime.SecurityProfileConfigV1Alpha1 @14',
  'UdevRulesConfig runtime.UdevRulesConfigV1Alpha1 @14',
  'UnattendedInstallConfig runtime.UnattendedInstallConfigV1Alpha1 @14',
  'VethConfig network.VethConfigV1Alpha1 named @14',
]

const LINK =
  'up? *bool;mtu? uint32;addresses? []network.AddressConfig;routes? []network.RouteConfig;multicast? *bool'
const CERTIFICATE_AUTHORITY = 'issuingCA? *meta.CertificateAndKey;acceptedCAs? []string'

const structs: Readonly<Record<string, string>> = {
  'block.ScrubConfig': 'enabled? *bool;interval? time.Duration',
  'block.SystemFilesystemSpec': 'xfs? *block.XFSSpec',
  'block.XFSSpec': 'minAllocationGroupSize? block.ByteSize',
  'container.Capabilities': 'add? []string;drop? []string',
  'container.Dependencies':
    'paths? []string;networks? []container.NetworkCondition;time? *bool;containers? []string',
  'container.HostPathMount': 'source string;destination string;options? []string',
  'container.Limits': 'cpu? string;memory? string',
  'container.Mount':
    'userVolume? *container.UserVolumeMount;tmpfs? *container.TmpfsMount;hostPath? *container.HostPathMount',
  'container.Network': 'mode? string',
  'container.Resources': 'limits? *container.Limits',
  'container.RunAs': 'uid? *uint32;gid? *uint32',
  'container.Security': 'profile? string;capabilities? *container.Capabilities',
  'container.TmpfsMount': 'destination string;size? string;options? []string',
  'container.UserVolumeMount': 'name string;destination string;options? []container.MountOption',
  'k8s.NodeIPConfig': 'validSubnets? []string',
  'k8s.ServiceAccountAccepted': 'publicKeys? []string;issuers? []string;audiences? []string',
  'k8s.ServiceAccountIssuer': 'privateKey? string;issuerURL? meta.URL',
  'network.BFDConfig':
    'transmitInterval? time.Duration;receiveInterval? time.Duration;detectMultiplier? uint8',
  'network.BGPImport': 'bgpInstance string;prefixes? []network.Prefix',
  'network.BGPNeighbor':
    'address? network.Addr;link? string;peerASN? uint32;localASN? uint32;passive? *bool;holdTime? time.Duration;bfd? *network.BFDConfig',
  'network.VethPeer': `name string;${LINK}`,
  'runtime.InstallProvisioning': 'diskSelector? block.DiskSelector;wipe? *bool',
  'runtime.Installer': 'image? string',
  'storage.RAIDProvisioningSpec': 'volumeSelector? storage.RAIDVolumeSelectorSpec',
  'storage.RAIDVolumeSelectorSpec': 'match? cel.Expression',
}

const documents: Readonly<Record<string, string>> = {
  'block.FilesystemScrubConfigV1Alpha1': 'interval? time.Duration',
  'cluster.DiscoveryIdentityConfigV1Alpha1': 'clusterID string;clusterSecret string',
  'container.ConfigV1Alpha1':
    'name string;image string;entrypoint? []string;args? []string;workingDir? string;runAs? *container.RunAs;environment? []string;mounts? []container.Mount;security? *container.Security;network? *container.Network;resources? *container.Resources;dependsOn? *container.Dependencies',
  'cri.BaseRuntimeSpecConfigV1Alpha1': 'overrides v1alpha1.Unstructured !',
  'cri.CustomizationConfigV1Alpha1': 'name string;content string',
  'k8s.KubeAPIServerCAConfigV1Alpha1': CERTIFICATE_AUTHORITY,
  'k8s.KubeAggregatorCAConfigV1Alpha1': CERTIFICATE_AUTHORITY,
  'k8s.KubeClusterConfigV1Alpha1': 'clusterName string;endpoint meta.URL',
  'k8s.KubeCoreDNSConfigV1Alpha1': 'enabled? *bool;image? string',
  'k8s.KubeCredentialProviderConfigV1Alpha1': 'configuration v1alpha1.Unstructured !',
  'k8s.KubeExternalManifestConfigV1Alpha1': 'name string;headers? map[string]string;url meta.URL',
  'k8s.KubeInlineManifestConfigV1Alpha1': 'name string;manifest string',
  'k8s.KubeNodeConfigV1Alpha1':
    'skipNodeRegistration? *bool;registerWithFQDN? *bool;nodeIP? *k8s.NodeIPConfig;labels? map[string]string;annotations? map[string]string;taints? map[string]string',
  'k8s.KubePrismConfigV1Alpha1': 'port? uint16;tlsServerName? string',
  'k8s.KubeServiceAccountConfigV1Alpha1':
    'issuer? *k8s.ServiceAccountIssuer;accepted? *k8s.ServiceAccountAccepted',
  'k8s.KubeStaticPodConfigV1Alpha1': 'name string;pod v1alpha1.Unstructured !',
  'k8s.KubeTalosAPIAccessConfigV1Alpha1':
    'allowedRoles? []string;allowedKubernetesNamespaces? []string',
  'k8s.KubeletConfigV1Alpha1':
    'image string;config v1alpha1.Unstructured;extraArgs? v1alpha1.Args;clusterDNS? []string;defaultRuntimeSeccompProfileEnabled? *bool',
  'network.BGPInstanceConfigV1Alpha1':
    'name string;vrf? string;localASN uint32;routerID? network.Addr;routeSource? network.Addr;advertise? []network.Prefix !;multipath? *bool;maxPaths? uint32;installRoutes? *bool;importRoutes? []network.BGPImport !;neighbors? []network.BGPNeighbor !',
  'network.VethConfigV1Alpha1': `name string;peer network.VethPeer;${LINK}`,
  'runtime.EtcFileConfigV1Alpha1': 'name string;mode? v1alpha1.FileMode;contents string',
  'runtime.KernelModuleConfigV1Alpha1': 'name string;parameters? []string',
  'runtime.SecurityProfileConfigV1Alpha1': 'workloadIsolation? *bool',
  'runtime.UdevRulesConfigV1Alpha1': 'rules? []string',
  'runtime.UnattendedInstallConfigV1Alpha1':
    'reboot? *bool;installer? *runtime.Installer;provisioning? *runtime.InstallProvisioning',
  'storage.RAIDArrayConfigV1Alpha1':
    'name string;level storage.RAIDLevel;metadata? storage.RAIDMetadata;provisioning? storage.RAIDProvisioningSpec',
}

export const laterTypes: readonly string[] = [
  'container.MountOption|ro rw noexec nosuid nodev noatime rbind rshared',
  'container.NetworkCondition|addresses connectivity hostname etcfiles',
  'storage.RAIDLevel|raid1',
  'storage.RAIDMetadata|1.0 1.2',
  ...Object.entries(structs).map(([name, fields]) => `${name}{${since14(fields)}}`),
  ...Object.entries(documents).map(
    ([name, fields]) => `${name}{${since14(`apiVersion? string;kind string;${fields}`)}}`,
  ),
]

/** Fields that follow those that a type has in the generated table. */
export const laterFields: ReadonlyMap<string, string> = new Map([
  ['block.ExistingVolumeConfigV1Alpha1', since14('scrub? *block.ScrubConfig')],
  ['block.FilesystemSpec', since14('xfs? *block.XFSSpec')],
  ['block.UserVolumeConfigV1Alpha1', since14('scrub? *block.ScrubConfig')],
  [
    'block.VolumeConfigV1Alpha1',
    since14('filesystem? *block.SystemFilesystemSpec;scrub? *block.ScrubConfig'),
  ],
  [
    'k8s.KubeNetworkConfigV1Alpha1',
    since14('nodeCIDRMaskSizeIPv4? *uint8;nodeCIDRMaskSizeIPv6? *uint8'),
  ],
  ['network.DHCPv4ConfigV1Alpha1', since14('ignoreRoutes? *bool')],
])

function since14(fields: string): string {
  return fields.replaceAll(/(?=;|$)/g, ' @14')
}
