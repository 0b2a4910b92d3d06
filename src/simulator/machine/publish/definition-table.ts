/**
 * The types of resources that Talos v1.13.0 has, and some of v1.14, one a line: type, first minor version from v1.5 on,
 * default namespace, name of one, aliases, `sensitive` or not, `only` if it has no further aliases, columns.
 */
export const definitionTable = `
APIServerConfigs.kubernetes.talos.dev|5|controlplane|APIServerConfig|apiserverconfig apisc apiscs|||
APIServiceConfigs.runtime.talos.dev|13|runtime|APIServiceConfig|apiserviceconfig apisc apiscs|||
AcquireConfigSpecs.v1alpha1.talos.dev|5|runtime|AcquireConfigSpec|acquireconfigspec acs|||
AcquireConfigStatuses.v1alpha1.talos.dev|5|runtime|AcquireConfigStatus|acquireconfigstatus acs|||
AddressSpecs.net.talos.dev|5|network|AddressSpec|addressspec as|||
AddressStatuses.net.talos.dev|5|network|AddressStatus|address addresses addressstatus as|||Address={.address};Link={.linkName}
AdjtimeStatuses.v1alpha1.talos.dev|6|runtime|AdjtimeStatus|adjtimestatus as|||Offset={.offset};EstError={.estError};MaxError={.maxError};Status={.status};Sync={.syncStatus}
AdmissionControlConfigs.kubernetes.talos.dev|5|controlplane|AdmissionControlConfig|admissioncontrolconfig acc accs|||
Affiliates.cluster.talos.dev|5|cluster|Affiliate|affiliate|||Hostname={.hostname};Machine Type={.machineType};Addresses={.addresses}
ApiCertificates.secrets.talos.dev|5|secrets|ApiCertificate|apicertificate ac acs|sensitive||
AuditPolicyConfigs.kubernetes.talos.dev|5|controlplane|AuditPolicyConfig|auditpolicyconfig apc apcs|sensitive||
AuthorizationConfigs.kubernetes.talos.dev|9|controlplane|AuthorizationConfig|authorizationconfig ac acs|||
BlockDevices.block.talos.dev|7|runtime|BlockDevice|blockdevice bd bds|||Type={.type};PartitionName={.partitionName};Generation={.generation}
BlockSymlinks.block.talos.dev|10|runtime|BlockSymlink|blocksymlink bs|||
BootIDs.runtime.talos.dev|14|runtime|BootID|bootid bid|||Boot ID={.bootID}
BootedEntries.talos.dev|11|runtime|BootedEntry|bootedentry be bes|||Booted Entry={.bootedEntry}
BootstrapManifestsConfigs.kubernetes.talos.dev|5|controlplane|BootstrapManifestsConfig|bootstrapmanifestsconfig bmc bmcs|||
CPUStats.perf.talos.dev|5|perf|CPUStat|cpustat cpus|||User={.cpuTotal.user};System={.cpuTotal.system}
CertSANs.secrets.talos.dev|5|secrets|CertSAN|certsan csan csans|sensitive||
ConfigStatuses.kubernetes.talos.dev|5|controlplane|ConfigStatus|configstatus cs|||Ready={.ready};Secrets Version={.version}
ControllerManagerConfigs.kubernetes.talos.dev|5|controlplane|ControllerManagerConfig|controllermanagerconfig cmc cmcs|||
DNSResolveCaches.net.talos.dev|7|network|DNSResolveCach|dnsresolvecach dnsrc dnsrcs|||Status={.status}
DNSUpstreams.net.talos.dev|7|network|DNSUpstream|dnsupstream dnsu dnsus|||Healthy={.healthy};Address={.addr}
DeviceConfigSpecs.net.talos.dev|5|network|DeviceConfigSpec|deviceconfigspec dcs|sensitive||
DevicesStatuses.runtime.talos.dev|5|runtime|DevicesStatus|devicesstatus ds|||Ready={.ready}
Diagnostics.runtime.talos.dev|8|runtime|Diagnostic|diagnostic|||Message={.message}
DiscoveredVolumes.block.talos.dev|7|runtime|DiscoveredVolume|discoveredvolume dv dvs|||Type={.type};Size={.pretty_size};Discovered={.name};Label={.label};PartitionLabel={.partition_label}
DiscoveryConfigs.cluster.talos.dev|5|config|DiscoveryConfig|discoveryconfig dc dcs|sensitive||
DiscoveryRefreshRequests.block.talos.dev|8|runtime|DiscoveryRefreshRequest|discoveryrefreshrequest drr drrs|||Request={.request}
DiscoveryRefreshStatuses.block.talos.dev|8|runtime|DiscoveryRefreshStatus|discoveryrefreshstatus drs|||Request={.request}
Disks.block.talos.dev|8|runtime|Disk|disk|||Size={.pretty_size};Read Only={.readonly};Transport={.transport};Rotational={.rotational};WWID={.wwid};Model={.model};Serial={.serial}
EncryptionSalts.secrets.talos.dev|11|secrets|EncryptionSalt|encryptionsalt es|sensitive||
Endpoints.kubernetes.talos.dev|5|controlplane|Endpoint|endpoint|||Addresses={.addresses};Hosts={.hosts}
Environments.runtime.talos.dev|13|runtime|Environment|env environment|||Variables={.variables}
EtcFileSpecs.files.talos.dev|5|files|EtcFileSpec|etcfilespec efs|||
EtcFileStatuses.files.talos.dev|5|files|EtcFileStatus|etcfilestatus efs|||
EtcdConfigs.etcd.talos.dev|5|etcd|EtcdConfig|etcdconfig ec ecs|||Image={.image}
EtcdMembers.etcd.talos.dev|5|etcd|EtcdMember|etcdmember em ems|||Member ID={.memberID}
EtcdRootSecrets.secrets.talos.dev|5|secrets|EtcdRootSecret|etcdrootsecret ers|sensitive||
EtcdSecrets.secrets.talos.dev|5|secrets|EtcdSecret|etcdsecret es|sensitive||
EtcdSpecs.etcd.talos.dev|5|etcd|EtcdSpec|etcdspec es|||Name={.name};AdvertisedAddresses={.advertisedAddresses};ListenPeerAddresses={.listenPeerAddresses};ListenClientAddresses={.listenClientAddresses}
EthernetSpecs.net.talos.dev|10|network|EthernetSpec|ethernetspec es|||
EthernetStatuses.net.talos.dev|10|network|EthernetStatus|ethtool ethernetstatus es|||Link={.linkState};Speed={.speedMbit}
EventSinkConfigs.runtime.talos.dev|5|runtime|EventSinkConfig|eventsinkconfig esc escs|||
ExtensionServiceConfigStatuses.runtime.talos.dev|7|runtime|ExtensionServiceConfigStatus|extensionserviceconfigstatus escs|||
ExtensionServiceConfigs.runtime.talos.dev|7|runtime|ExtensionServiceConfig|extensionserviceconfig esc escs|||
ExtensionStatuses.runtime.talos.dev|5|runtime|ExtensionStatus|extensions extensionstatus es|||Name={.metadata.name};Version={.metadata.version}
ExtraManifestsConfigs.kubernetes.talos.dev|5|controlplane|ExtraManifestsConfig|extramanifestsconfig emc emcs|||
HardwareAddresses.net.talos.dev|5|network|HardwareAddress|hardwareaddress ha has|||
HostDNSConfigs.net.talos.dev|7|network|HostDNSConfig|hostdnsconfig hdnsc hdnscs|||Enabled={.enabled}
HostnameSpecs.net.talos.dev|5|network|HostnameSpec|hostnamespec hs|||
HostnameStatuses.net.talos.dev|5|network|HostnameStatus|hostname hostnamestatus hs|||Hostname={.hostname};Domainname={.domainname}
Identities.cluster.talos.dev|5|cluster|Identity|identity|||ID={.nodeId}
ImageCacheConfigs.cri.talos.dev|9|cri|ImageCacheConfig|imagecacheconfig icc iccs|||Status={.status};CopyStatus={.copyStatus};Roots={.roots}
ImageFactorySchematics.runtime.talos.dev|14|runtime|ImageFactorySchematic|imagefactoryschematic ifs|||Schematic ID={.schematicId};Flavor={.flavor};API URL={.apiUrl}
ImageVerificationRules.security.talos.dev|13|security|ImageVerificationRule|imageverificationrule ivr ivrs|||Pattern={.imagePattern};Skip={.skip};Deny={.deny}
Infos.cluster.talos.dev|5|cluster|Info|info|||Cluster ID={.clusterId};Cluster Name={.clusterName}
KernelCmdlines.runtime.talos.dev|11|runtime|KernelCmdline|cmdline kernelcmdline kc kcs|||Cmdline={.cmdline}
KernelModuleSpecs.runtime.talos.dev|5|runtime|KernelModuleSpec|kernelmodulespec kms|||
KernelParamDefaultSpecs.runtime.talos.dev|5|runtime|KernelParamDefaultSpec|kernelparamdefaultspec kpds|||
KernelParamSpecs.runtime.talos.dev|5|runtime|KernelParamSpec|kernelparamspec kps|||
KernelParamStatuses.runtime.talos.dev|5|runtime|KernelParamStatus|sysctls kernelparameters kernelparams kernelparamstatus kps|||Current={.current};Default={.default};Unsupported={.unsupported}
KmsgLogConfigs.runtime.talos.dev|5|runtime|KmsgLogConfig|kmsglogconfig klc klcs|||
KubePrismConfigs.kubernetes.talos.dev|5|k8s|KubePrismConfig|kubeprismconfig kpc kpcs|||Host={.host};Port={.port};Endpoints={.endpoints}
KubePrismEndpoints.kubernetes.talos.dev|5|k8s|KubePrismEndpoint|kubeprismendpoint kpe kpes|||Hosts={.endpoints[*].host};Ports={.endpoints[*].port}
KubePrismStatuses.kubernetes.talos.dev|5|k8s|KubePrismStatus|kubeprismstatus kps|||HOST={.host};HEALTHY={.healthy}
KubeSpanConfigs.kubespan.talos.dev|5|config|KubeSpanConfig|kubespanconfig ksc kscs|sensitive||
KubeSpanEndpoints.kubespan.talos.dev|5|kubespan|KubeSpanEndpoint|kubespanendpoint kse kses|||Endpoint={.endpoint};Affiliate ID={.affiliateID}
KubeSpanIdentities.kubespan.talos.dev|5|kubespan|KubeSpanIdentity|kubespanidentity ksi ksis|sensitive||Address={.address};PublicKey={.publicKey}
KubeSpanPeerSpecs.kubespan.talos.dev|5|kubespan|KubeSpanPeerSpec|kubespanpeerspec ksps|||Label={.label};Endpoints={.endpoints}
KubeSpanPeerStatuses.kubespan.talos.dev|5|kubespan|KubeSpanPeerStatus|kubespanpeerstatus ksps|||Label={.label};Endpoint={.endpoint};State={.state};Rx={.receiveBytes};Tx={.transmitBytes}
KubeletConfigs.kubernetes.talos.dev|5|k8s|KubeletConfig|kubeletconfig kc kcs|||
KubeletKubeconfigs.kubernetes.talos.dev|13|k8s|KubeletKubeconfig|kubeletkubeconfig kk kks|||Hash={.hash}
KubeletLifecycles.kubernetes.talos.dev|5|k8s|KubeletLifecycle|kubeletlifecycle kl kls|||
KubeletSecrets.secrets.talos.dev|5|secrets|KubeletSecret|kubeletsecret ks|sensitive||
KubeletSpecs.kubernetes.talos.dev|5|k8s|KubeletSpec|kubeletspec ks|||
KubernetesAccessConfigs.cluster.talos.dev|5|config|KubernetesAccessConfig|kubernetesaccessconfig kac kacs|||
KubernetesDynamicCerts.secrets.talos.dev|5|secrets|KubernetesDynamicCert|kubernetesdynamiccert kdc kdcs|sensitive||
KubernetesRootSecrets.secrets.talos.dev|5|secrets|KubernetesRootSecret|kubernetesrootsecret krs|sensitive||
KubernetesSecrets.secrets.talos.dev|5|secrets|KubernetesSecret|kubernetessecret ks|sensitive||
LinkAliasSpecs.net.talos.dev|12|network|LinkAliasSpec|linkaliasspec las|||Alias={.alias}
LinkRefreshes.net.talos.dev|5|network|LinkRefresh|linkrefresh lr lrs|||
LinkSpecs.net.talos.dev|5|network|LinkSpec|linkspec ls|sensitive||
LinkStatuses.net.talos.dev|5|network|LinkStatus|link links linkstatus ls|||Alias={.alias};Type={.type};Kind={.kind};Hw Addr={.hardwareAddr};Oper State={.operationalState};Link State={.linkState}
LoadedKernelModules.runtime.talos.dev|11|runtime|LoadedKernelModule|module modules loadedkernelmodule lkm lkms|||State={.state}
MachineConfigs.config.talos.dev|5|config|MachineConfig|machineconfig mc mcs|sensitive||
MachineResetSignals.runtime.talos.dev|6|runtime|MachineResetSignal|machineresetsignal mrs|||
MachineStatuses.runtime.talos.dev|5|runtime|MachineStatus|machinestatus ms|||Stage={.stage};Ready={.status.ready}
MachineTypes.config.talos.dev|5|config|MachineType|machinetype mt mts|||Type={@}
MaintenanceRootSecrets.secrets.talos.dev|5|secrets|MaintenanceRootSecret|maintenancerootsecret mrs|sensitive||
MaintenanceServiceConfigs.runtime.talos.dev|5|runtime|MaintenanceServiceConfig|maintenanceserviceconfig msc mscs|||
MaintenanceServiceRequests.runtime.talos.dev|5|runtime|MaintenanceServiceRequest|maintenanceservicerequest msr msrs|||
ManifestStatuses.kubernetes.talos.dev|5|controlplane|ManifestStatus|manifeststatus ms|||
Manifests.kubernetes.talos.dev|5|controlplane|Manifest|manifest|||
Members.cluster.talos.dev|5|cluster|Member|member|||Hostname={.hostname};Machine Type={.machineType};OS={.operatingSystem};Addresses={.addresses}
MemoryModules.hardware.talos.dev|5|hardware|MemoryModule|memorymodules ram memorymodule mm mms|||Manufacturer={.manufacturer};Model={.productName};SizeMiB={.sizeMiB}
MemoryStats.perf.talos.dev|5|perf|MemoryStat|memorystat ms|||Used={.used};Total={.total}
MetaKeys.runtime.talos.dev|5|runtime|MetaKey|meta metakey mk mks|||Value={.value}
MetaLoads.runtime.talos.dev|6|runtime|MetaLoad|metaload ml mls|||Done={.done}
MountRequests.block.talos.dev|10|runtime|MountRequest|mountrequest mr mrs|||Volume={.volumeID};Parent={.parentID};Requesters={.requesters}
MountStatuses.block.talos.dev|10|runtime|MountStatus|mountstatus ms|||Source={.source};Target={.target};Filesystem={.filesystem};Volume={.spec.volumeID}
MountStatuses.runtime.talos.dev|5|runtime|MountStatus|mounts||only|Source={.source};Target={.target};Filesystem Type={.filesystemType}
Namespaces.meta.cosi.dev|5|meta|Namespace|ns namespace|||
NetworkStatuses.net.talos.dev|5|network|NetworkStatus|netstatus netstatuses networkstatus ns|||Address={.addressReady};Connectivity={.connectivityReady};Hostname={.hostnameReady};Etc={.etcFilesReady}
NfTablesChains.net.talos.dev|6|network|NfTablesChain|chain chains nftableschain ntc ntcs|||Type={.type};Hook={.hook};Priority={.priority};Policy={.policy}
NodeAddressFilters.net.talos.dev|5|network|NodeAddressFilter|nodeaddressfilter naf nafs|||Include Subnets={.includeSubnets};Exclude Subnets={.excludeSubnets}
NodeAddressSortAlgorithms.net.talos.dev|9|network|NodeAddressSortAlgorithm|nodeaddresssortalgorithm nasa nasas|||Algorithm={.algorithm}
NodeAddresses.net.talos.dev|5|network|NodeAddress|nodeaddress na nas|||Addresses={.addresses};SortAlgorithm={.sortAlgorithm}
NodeAnnotationSpecs.k8s.talos.dev|8|k8s|NodeAnnotationSpec|nodeannotationspec nas|sensitive||Value={.value}
NodeCordonedSpecs.k8s.talos.dev|5|k8s|NodeCordonedSpec|nodecordonedspec ncs|sensitive||
NodeIPConfigs.kubernetes.talos.dev|5|k8s|NodeIPConfig|nodeipconfig nipc nipcs|||
NodeIPs.kubernetes.talos.dev|5|k8s|NodeIP|nodeip nip nips|||
NodeLabelSpecs.k8s.talos.dev|5|k8s|NodeLabelSpec|nodelabelspec nls|sensitive||Value={.value}
NodeStatuses.kubernetes.talos.dev|5|k8s|NodeStatus|nodestatus ns|||Ready={.nodeReady};Unschedulable={.unschedulable}
NodeTaintSpecs.k8s.talos.dev|5|k8s|NodeTaintSpec|nodetaintspec nts|sensitive||Effect={.effect};Value={.value}
Nodenames.kubernetes.talos.dev|5|k8s|Nodename|nodename|||Nodename={.nodename}
OOMActions.talos.dev|12|runtime|OOMAction|oomaction oomactions oomaction ooma oomas|sensitive||Time={.time};Score={.score}
OSRootSecrets.secrets.talos.dev|5|secrets|OSRootSecret|osrootsecret osrs|sensitive||
OperatorSpecs.net.talos.dev|5|network|OperatorSpec|operatorspec os|sensitive||
PCIDevices.hardware.talos.dev|8|hardware|PCIDevice|devices device pcidevice pcid pcids|||Class={.class};Subclass={.subclass};Vendor={.vendor};Product={.product}
PCIDriverRebindConfigs.runtime.talos.dev|10|hardware|PCIDriverRebindConfig|pcidriverrebindconfig pcidrc pcidrcs|||Name={.name};PCI ID={.pciID};TargetDriver={.targetDriver}
PCIDriverRebindStatuses.runtime.talos.dev|10|hardware|PCIDriverRebindStatus|pcidriverrebinds pcidriverrebindstatus pcidrs|||Name={.name};PCI ID={.pciID};TargetDriver={.targetDriver}
PCRStatuses.hardware.talos.dev|10|hardware|PCRStatus|pcrstatus pcrs|||
PKIStatuses.etcd.talos.dev|5|etcd|PKIStatus|pkistatus pkis|||Ready={.ready};Secrets Version={.version}
PlatformConfigs.net.talos.dev|12|network|PlatformConfig|platformconfig pc pcs|||
PlatformMetadatas.talos.dev|5|runtime|PlatformMetadata|platformmetadata pm pms|||Platform={.platform};Type={.instanceType};Region={.region};Zone={.zone}
ProbeSpecs.net.talos.dev|5|network|ProbeSpec|probespec ps|||
ProbeStatuses.net.talos.dev|5|network|ProbeStatus|probe probes probestatus ps|||Success={.success}
Processors.hardware.talos.dev|5|hardware|Processor|cpus cpu processor|||Manufacturer={.manufacturer};Model={.productName};Cores={.coreCount};Threads={.threadCount}
RebootRequests.runtime.talos.dev|14|runtime|RebootRequest|rebootrequest rr rrs|||
RegistryConfigs.cri.talos.dev|9|cri|RegistryConfig|registryconfig rc rcs|||
ResolverSpecs.net.talos.dev|5|network|ResolverSpec|resolverspec rs|||Layer={.layer};Resolvers={.dnsServers};Search Domains={.searchDomains}
ResolverStatuses.net.talos.dev|5|network|ResolverStatus|resolvers resolverstatus rs|||Resolvers={.dnsServers};Search Domains={.searchDomains}
ResourceDefinitions.meta.cosi.dev|5|meta|ResourceDefinition|api-resources resourcedefinition rd rds|||Aliases={.aliases[:]}
RouteSpecs.net.talos.dev|5|network|RouteSpec|routespec rs|||
RouteStatuses.net.talos.dev|5|network|RouteStatus|route routes routestatus rs|||Destination={.dst};Gateway={.gateway};Link={.outLinkName};Metric={.priority}
RoutingRuleSpecs.net.talos.dev|13|network|RoutingRuleSpec|routingrulespec rrs|||
RoutingRuleStatuses.net.talos.dev|13|network|RoutingRuleStatus|routingrule routingrules routingrulestatus rrs|||Src={.src};Dst={.dst};Table={.table};Priority={.priority}
SBOMItems.talos.dev|11|runtime|SBOMItem|sbom sboms sbomitem sbomi sbomis|||Version={.version};License={.license};Extension={.extension}
SchedulerConfigs.kubernetes.talos.dev|5|controlplane|SchedulerConfig|schedulerconfig sc scs|||
SeccompProfiles.cri.talos.dev|5|cri|SeccompProfile|seccompprofile sp sps|||
SecretStatuses.kubernetes.talos.dev|5|controlplane|SecretStatus|secretstatus ss|||Ready={.ready};Secrets Version={.version}
SecurityStates.talos.dev|5|runtime|SecurityState|securitystate ss|||SecureBoot={.secureBoot};UKISigningKeyFingerprint={.ukiSigningKeyFingerprint};PCRSigningKeyFingerprint={.pcrSigningKeyFingerprint};SELinuxState={.selinuxState};ModuleSignatureEnforced={.moduleSignatureEnforced}
ServicePIDs.runtime.talos.dev|13|runtime|ServicePID|servicepid spid spids|||PID={.pid}
Services.v1alpha1.talos.dev|5|runtime|Service|svc service|||Running={.running};Healthy={.healthy};Health Unknown={.unknown}
SiderolinkConfigs.siderolink.talos.dev|5|config|SiderolinkConfig|siderolinkconfig sc scs|sensitive||API Endpoint={.apiEndpoint};Tunnel={.tunnel}
SiderolinkStatuses.siderolink.talos.dev|8|config|SiderolinkStatus|siderolinkstatus ss|||Host={.host};Connected={.connected}
SiderolinkTunnels.siderolink.talos.dev|7|config|SiderolinkTunnel|siderolinktunnel st sts|sensitive||API Endpoint={.apiEndpoint};Link name={.linkName};MTU={.mtu};Node address={.nodeAddress}
StaticPodServerStatuses.kubernetes.talos.dev|5|k8s|StaticPodServerStatus|staticpodserverstatus spss|||
StaticPodStatuses.kubernetes.talos.dev|5|k8s|StaticPodStatus|podstatus staticpodstatus sps|||Ready={.conditions[?(@.type=="Ready")].status}
StaticPods.kubernetes.talos.dev|5|k8s|StaticPod|staticpod sp sps|||
SwapStatuses.block.talos.dev|11|runtime|SwapStatus|swap swaps swapstatus ss|||Device={.device};Size={.sizeHuman};Used={.usedHuman};Priority={.priority}
SystemDisks.block.talos.dev|8|runtime|SystemDisk|systemdisk sd sds|||Disk={.diskID}
SystemInformations.hardware.talos.dev|5|hardware|SystemInformation|systeminformation systeminformation si sis|||Manufacturer={.manufacturer};ProductName={.productName};Version={.version};SerialNumber={.serialnumber};UUID={.uuid};WakeUpType={.wakeUpType};SKUNumber={.skuNumber}
TUFTrustedRoots.security.talos.dev|13|security|TUFTrustedRoot|tuftrustedroot tuftr tuftrs|||Last Refresh={.lastRefreshTime}
TimeServerSpecs.net.talos.dev|5|network|TimeServerSpec|timeserverspec tss|||
TimeServerStatuses.net.talos.dev|5|network|TimeServerStatus|timeserver timeservers timeserverstatus tss|||Timeservers={.timeServers}
TimeStatuses.v1alpha1.talos.dev|5|runtime|TimeStatus|timestatus ts|||Synced={.synced}
TrustdCertificates.secrets.talos.dev|5|secrets|TrustdCertificate|trustdcertificate tc tcs|sensitive||
UnattendedInstallStatuses.runtime.talos.dev|14|runtime|UnattendedInstallStatus|unattendedinstallstatus uis|||Phase={.phase}
UniqueMachineTokens.runtime.talos.dev|6|runtime|UniqueMachineToken|uniquemachinetoken umt umts|||Token={.token}
UserDiskConfigStatuses.block.talos.dev|8|runtime|UserDiskConfigStatus|userdiskconfigstatus udcs|||Ready={.ready}
Versions.runtime.talos.dev|10|runtime|Version|version|||Name={.name};Version={.version}
VolumeConfigs.block.talos.dev|8|runtime|VolumeConfig|volumeconfig vc vcs|sensitive||
VolumeLifecycles.block.talos.dev|8|runtime|VolumeLifecycle|volumelifecycle vl vls|||
VolumeMountRequests.block.talos.dev|10|runtime|VolumeMountRequest|volumemountrequest vmr vmrs|||Volume ID={.volumeID};Requester={.requester}
VolumeMountStatuses.block.talos.dev|10|runtime|VolumeMountStatus|volumemountstatus vms|||Volume ID={.volumeID};Requester={.requester};Target={.target}
VolumeStatuses.block.talos.dev|8|runtime|VolumeStatus|volumestatus vs|||Type={.type};Phase={.phase};Location={.location};Size={.prettySize}
WatchdogTimerConfigs.runtime.talos.dev|7|runtime|WatchdogTimerConfig|watchdogtimerconfig wtc wtcs|||Device={.device};Timeout={.timeout}
WatchdogTimerStatuses.runtime.talos.dev|7|runtime|WatchdogTimerStatus|watchdogtimerstatus wts|||Device={.device};Timeout={.timeout}
ZswapStatuses.block.talos.dev|11|runtime|ZswapStatus|zswapstatus zs|||Total Size={.totalSizeHuman};Stored Pages={.storedPages};Written Back={.writtenBackPages};Pool Limit Hit={.poolLimitHit}
`
