/**
 * What each kind of document holds, by the tables of Talos' reference: `#`, the kind, its first version and
 * whether it is named; then the place of a struct (none: the document) and its fields with their types.
 */
export const documentPaths = `
# ExistingVolumeConfig 11 named
: name=string discovery={} mount={} trim=*{} scrub=*{}
discovery: volumeSelector={}
discovery.volumeSelector: match=expression
mount: readOnly=*bool disableAccessTime=*bool secure=*bool
trim: enabled=*bool interval=duration
scrub: enabled=*bool interval=duration
# ExternalVolumeConfig 13 named
: name=string filesystemType=enum mount={}
mount: readOnly=*bool disableAccessTime=*bool secure=*bool virtiofs=*{}
mount.virtiofs: tag=string
# FilesystemScrubConfig 14
: interval=duration
# FilesystemTrimConfig 14
: interval=duration
# RawVolumeConfig 11 named
: name=string provisioning={} encryption={}
provisioning: diskSelector={} grow=*bool minSize=byte-size maxSize=size
provisioning.diskSelector: match=expression
encryption: provider=enum keys=[]{} cipher=string keySize=uint64 blockSize=uint64 options=[]string
    allowDiscards=*bool
encryption.keys: slot=int64 static=*{} nodeID=*{} kms=*{} tpm=*{} lockToState=*bool
encryption.keys.static: passphrase=string
encryption.keys.kms: endpoint=string
encryption.keys.tpm: options=*{} checkSecurebootStatusOnEnroll=*bool
encryption.keys.tpm.options: pcrs=[]int64
# SwapVolumeConfig 11 named
: name=string provisioning={} encryption={}
provisioning: diskSelector={} grow=*bool minSize=byte-size maxSize=size
provisioning.diskSelector: match=expression
encryption: provider=enum keys=[]{} cipher=string keySize=uint64 blockSize=uint64 options=[]string
    allowDiscards=*bool
encryption.keys: slot=int64 static=*{} nodeID=*{} kms=*{} tpm=*{} lockToState=*bool
encryption.keys.static: passphrase=string
encryption.keys.kms: endpoint=string
encryption.keys.tpm: options=*{} checkSecurebootStatusOnEnroll=*bool
encryption.keys.tpm.options: pcrs=[]int64
# UserVolumeConfig 10 named
: name=string volumeType=*enum provisioning={} filesystem={} encryption={} mount={} trim=*{}
    scrub=*{}
provisioning: diskSelector={} grow=*bool minSize=byte-size maxSize=size
provisioning.diskSelector: match=expression
filesystem: type=enum projectQuotaSupport=*bool xfs=*{}
filesystem.xfs: minAllocationGroupSize=byte-size
encryption: provider=enum keys=[]{} cipher=string keySize=uint64 blockSize=uint64 options=[]string
    allowDiscards=*bool
encryption.keys: slot=int64 static=*{} nodeID=*{} kms=*{} tpm=*{} lockToState=*bool
encryption.keys.static: passphrase=string
encryption.keys.kms: endpoint=string
encryption.keys.tpm: options=*{} checkSecurebootStatusOnEnroll=*bool
encryption.keys.tpm.options: pcrs=[]int64
mount: disableAccessTime=*bool secure=*bool
trim: enabled=*bool interval=duration
scrub: enabled=*bool interval=duration
# VolumeConfig 8 named
: name=string provisioning={} filesystem={} encryption={} mount={} trim=*{} scrub=*{}
provisioning: diskSelector={} grow=*bool minSize=byte-size maxSize=size
provisioning.diskSelector: match=expression
filesystem: xfs=*{}
filesystem.xfs: minAllocationGroupSize=byte-size
encryption: provider=enum keys=[]{} cipher=string keySize=uint64 blockSize=uint64 options=[]string
    allowDiscards=*bool
encryption.keys: slot=int64 static=*{} nodeID=*{} kms=*{} tpm=*{} lockToState=*bool
encryption.keys.static: passphrase=string
encryption.keys.kms: endpoint=string
encryption.keys.tpm: options=*{} checkSecurebootStatusOnEnroll=*bool
encryption.keys.tpm.options: pcrs=[]int64
mount: secure=*bool disableAccessTime=*bool
trim: enabled=*bool interval=duration
scrub: enabled=*bool interval=duration
# ZswapConfig 11
: maxPoolPercent=*int64 shrinkerEnabled=*bool
# DiscoveryIdentityConfig 14
: clusterID=string clusterSecret=string
# DiscoveryServiceConfig 14 named
: name=string endpoint=optional-url
# ContainerConfig 14 named
: name=string image=string entrypoint=[]string args=[]string workingDir=string runAs=*{}
    environment=[]string mounts=[]{} security=*{} network=*{} resources=*{} dependsOn=*{}
runAs: uid=*int32 gid=*int32
mounts: userVolume=*{} tmpfs=*{} hostPath=*{}
mounts.userVolume: name=string destination=string options=[]string
mounts.tmpfs: destination=string size=string options=[]string
mounts.hostPath: source=string destination=string options=[]string
security: profile=string capabilities=*{} machinedAccess=bool
security.capabilities: add=[]string drop=[]string
network: mode=string
resources: limits=*{}
resources.limits: cpu=string memory=string
dependsOn: paths=[]string networks=[]string time=*bool containers=[]string
# CRIBaseRuntimeSpecConfig 14
: overrides=any
# CRICustomizationConfig 14 named
: name=string content=string
# ImageCacheConfig 14
: local={}
local: enabled=*bool
# RegistryAuthConfig 12 named
: name=string username=string password=string auth=string identityToken=string
# RegistryMirrorConfig 12 named
: name=string endpoints=[]{} skipFallback=*bool
endpoints: url=optional-url overridePath=*bool
# RegistryTLSConfig 12 named
: name=string clientIdentity=*{} ca=string insecureSkipVerify=*bool
# ExtensionServiceConfig 7 named
: name=string configFiles=[]{} environment=[]string
configFiles: content=string mountPath=string
# PCIDriverRebindConfig 10 named
: name=string targetDriver=string
# KubeAPIServerCAConfig 14
: issuingCA=*{} acceptedCAs=[]string
# KubeAPIServerConfig 14
: image=string extraArgs=map:argument env=map:string resources={} apiPort=*int64
    certExtraSANs=[]string startupProbes=*bool
# KubeAdmissionControlConfig 14 named
: name=string configuration=any
# KubeAggregatorCAConfig 14
: issuingCA=*{} acceptedCAs=[]string
# KubeAuditPolicyConfig 14
: configuration=any
# KubeAuthenticationConfig 14
: configuration=any
# KubeAuthorizerConfig 14 named
: name=string type=string webhook=any
# KubeClusterConfig 14
: clusterName=string endpoint=optional-url
# KubeControllerManagerConfig 14
: enabled=*bool image=string extraArgs=map:argument env=map:string resources={}
# KubeCoreDNSConfig 14
: enabled=*bool image=string
# KubeCredentialProviderConfig 14
: configuration=any
# KubeEtcdEncryptionConfig 14
: config=any
# KubeExternalManifestConfig 14 named
: name=string headers=map:string url=optional-url
# KubeFlannelCNIConfig 14
: backendType=string backendPort=uint16 backendMTU=uint32 backendExtraConfig=any resources={}
    extraArgs=[]string kubeNetworkPoliciesEnabled=*bool
# KubeInlineManifestConfig 14 named
: name=string manifest=string
# KubeNetworkConfig 14
: dnsDomain=string podSubnets=[]prefix serviceSubnets=[]prefix nodeCIDRMaskSizeIPv4=int64
    nodeCIDRMaskSizeIPv6=int64
# KubeNodeConfig 14
: skipNodeRegistration=*bool registerWithFQDN=*bool nodeIP={} labels=map:string
    annotations=map:string taints=map:string
nodeIP: validSubnets=[]string
# KubePrismConfig 14
: port=int64 tlsServerName=string
# KubeProxyConfig 14
: enabled=*bool image=string mode=string config=any extraArgs=map:argument resources={}
# KubeSchedulerConfig 14
: enabled=*bool image=string config=any extraArgs=map:argument env=map:string resources={}
# KubeServiceAccountConfig 14
: issuer={} accepted={}
issuer: privateKey=string issuerURL=optional-url
accepted: publicKeys=[]string issuers=[]optional-url audiences=[]string
# KubeStaticPodConfig 14 named
: name=string pod=any
# KubeTalosAPIAccessConfig 14
: allowedRoles=[]string allowedKubernetesNamespaces=[]string
# KubeletConfig 14
: image=string config=any extraArgs=map:argument clusterDNS=[]string
    defaultRuntimeSeccompProfileEnabled=*bool
# BGPInstanceConfig 14 named
: name=string vrf=string localASN=uint32 routerID=address routeSource=address advertise=[]string
    multipath=*bool maxPaths=uint8 installRoutes=*bool importRoutes=[]{} neighbors=[]{}
importRoutes: bgpInstance=string prefixes=[]prefix
neighbors: address=address link=string peerASN=uint32 localASN=uint32 passive=bool
    holdTime=duration bfd=*{}
neighbors.bfd: transmitInterval=duration receiveInterval=duration detectMultiplier=uint8
# BlackholeRouteConfig 13 named
: name=string metric=uint32
# BondConfig 12 named
: name=string hardwareAddr=hardware-address links=[]string bondMode=*enum miimon=*uint32
    updelay=*uint32 downdelay=*uint32 useCarrier=*bool xmitHashPolicy=*enum arpInterval=*uint32
    arpIpTargets=[]address nsIp6Targets=[]address arpValidate=*enum arpAllTargets=*enum
    lacpRate=*enum failOverMac=*fail-over-mac adSelect=*enum adActorSysPrio=*uint16
    adUserPortKey=*uint16 adLACPActive=*enum primaryReselect=*enum resendIGMP=*uint32
    minLinks=*uint32 lpInterval=*uint32 packetsPerSlave=*uint32 numPeerNotif=*uint8
    tlbLogicalLb=*uint8 allSlavesActive=*uint8 peerNotifDelay=*uint32 missedMax=*uint8 up=*bool
    mtu=uint32 addresses=[]{} routes=[]{} multicast=*bool
addresses: address=prefix routePriority=*uint32
routes: destination=prefix gateway=address source=address metric=uint32 mtu=uint32 table=enum
# BridgeConfig 12 named
: name=string hardwareAddr=hardware-address links=[]string stp={} vlan={} up=*bool mtu=uint32
    addresses=[]{} routes=[]{} multicast=*bool
stp: enabled=*bool
vlan: filtering=*bool
addresses: address=prefix routePriority=*uint32
routes: destination=prefix gateway=address source=address metric=uint32 mtu=uint32 table=enum
# DHCPv4Config 12 named
: name=string routeMetric=uint32 ignoreHostname=*bool ignoreRoutes=*bool clientIdentifier=*enum
    duidRaw=hardware-address
# DHCPv6Config 12 named
: name=string routeMetric=uint32 ignoreHostname=*bool clientIdentifier=*enum
    duidRaw=hardware-address
# NetworkDefaultActionConfig 6
: ingress=enum
# DummyLinkConfig 12 named
: name=string hardwareAddr=hardware-address up=*bool mtu=uint32 addresses=[]{} routes=[]{}
    multicast=*bool
addresses: address=prefix routePriority=*uint32
routes: destination=prefix gateway=address source=address metric=uint32 mtu=uint32 table=enum
# EthernetConfig 10 named
: name=string features=map:bool rings=*{} channels=*{} wakeOnLan=[]enum
rings: rx=*uint32 tx=*uint32 rx-mini=*uint32 rx-jumbo=*uint32 rx-buf-len=*uint32 cqe-size=*uint32
    tx-push=*bool rx-push=*bool tx-push-buf-len=*uint32 tcp-data-split=*bool
channels: rx=*uint32 tx=*uint32 other=*uint32 combined=*uint32
# HCloudVIPConfig 12 named
: name=string link=string apiToken=string
# HTTPProbeConfig 14 named
: name=string interval=duration failureThreshold=int64 url=optional-url timeout=duration
# HostnameConfig 12
: auto=*enum hostname=string
# KubeSpanConfig 13
: enabled=*bool advertiseKubernetesNetworks=*bool allowDownPeerBypass=*bool
    harvestExtraEndpoints=*bool mtu=*uint32 filters=*{}
filters: endpoints=[]string excludeAdvertisedNetworks=[]prefix
# KubeSpanEndpointsConfig 8
: extraAnnouncedEndpoints=[]address-port
# Layer2VIPConfig 12 named
: name=string link=string
# LinkAliasConfig 12 named
: name=string selector={}
selector: match=expression
# LinkConfig 12 named
: name=string up=*bool mtu=uint32 addresses=[]{} routes=[]{} multicast=*bool
addresses: address=prefix routePriority=*uint32
routes: destination=prefix gateway=address source=address metric=uint32 mtu=uint32 table=enum
# ResolverConfig 12
: nameservers=[]{} searchDomains={} hostDNS={}
nameservers: address=address protocol=enum tlsServerName=string
searchDomains: domains=[]string disableDefault=*bool
hostDNS: enabled=*bool forwardKubeDNSToHost=*bool resolveMemberNames=*bool
# RoutingRuleConfig 13 named
: name=string src=prefix dst=prefix table=enum action=enum iifName=string oifName=string
    fwMark=uint32 fwMask=uint32
# NetworkRuleConfig 6 named
: name=string portSelector={} ingress=[]{}
portSelector: ports=[]port-range protocol=enum
ingress: subnet=prefix except=prefix
# StaticHostConfig 12 named
: name=string hostnames=[]string
# TCPProbeConfig 13 named
: name=string interval=duration failureThreshold=int64 endpoint=string timeout=duration
# TimeSyncConfig 12
: enabled=*bool bootTimeout=duration ntp=*{} ptp=*{}
ntp: servers=[]string useNTS=*bool
ptp: devices=[]string
# VLANConfig 12 named
: name=string vlanID=uint16 vlanMode=*enum parent=string up=*bool mtu=uint32 addresses=[]{}
    routes=[]{} multicast=*bool
addresses: address=prefix routePriority=*uint32
routes: destination=prefix gateway=address source=address metric=uint32 mtu=uint32 table=enum
# VRFConfig 13 named
: name=string hardwareAddr=hardware-address links=[]string table=enum up=*bool mtu=uint32
    addresses=[]{} routes=[]{} multicast=*bool
addresses: address=prefix routePriority=*uint32
routes: destination=prefix gateway=address source=address metric=uint32 mtu=uint32 table=enum
# VethConfig 14 named
: name=string peer={} up=*bool mtu=uint32 addresses=[]{} routes=[]{} multicast=*bool
peer: name=string up=*bool mtu=uint32 addresses=[]{} routes=[]{} multicast=*bool
peer.addresses: address=prefix routePriority=*uint32
peer.routes: destination=prefix gateway=address source=address metric=uint32 mtu=uint32 table=enum
addresses: address=prefix routePriority=*uint32
routes: destination=prefix gateway=address source=address metric=uint32 mtu=uint32 table=enum
# WireguardConfig 12 named
: name=string privateKey=string listenPort=int64 firewallMark=int64 peers=[]{} up=*bool mtu=uint32
    addresses=[]{} routes=[]{} multicast=*bool
peers: publicKey=string presharedKey=string endpoint=address-port
    persistentKeepaliveInterval=duration allowedIPs=[]prefix
addresses: address=prefix routePriority=*uint32
routes: destination=prefix gateway=address source=address metric=uint32 mtu=uint32 table=enum
# EnvironmentConfig 13
: variables=map:string
# EtcFileConfig 14 named
: name=string mode=file-mode contents=string
# EventSinkConfig 5
: endpoint=string
# KernelModuleConfig 14 named
: name=string parameters=[]string
# KmsgLogConfig 5 named
: name=string url=optional-url
# OOMConfig 12
: triggerExpression=expression cgroupRankingExpression=expression strictCgroupClassOrdering=*bool
    sampleInterval=duration
# SecurityProfileConfig 14
: workloadIsolation=*bool
# SysctlConfig 14
: params=map:string
# SysfsConfig 14
: params=map:string
# UdevRulesConfig 14
: rules=[]string
# UnattendedInstallConfig 14
: reboot=*bool installer={} provisioning={}
installer: image=string
provisioning: diskSelector={} wipe=*bool
provisioning.diskSelector: match=expression
# WatchdogTimerConfig 7
: device=string timeout=duration
# TrustedRootsConfig 8 named
: name=string certificates=string
# SideroLinkConfig 5
: apiUrl=optional-url uniqueToken=string
# LVMLogicalVolumeConfig 14 named
: name=string type=enum mirrors=*uint32 stripes=*uint32 provisioning={}
provisioning: volumeGroup=string minSize=byte-size maxSize=size
# LVMVolumeGroupConfig 14 named
: name=string provisioning={}
provisioning: volumeSelector={}
provisioning.volumeSelector: match=expression
# RAIDArrayConfig 14 named
: name=string level=enum metadata=enum provisioning={}
provisioning: volumeSelector={}
provisioning.volumeSelector: match=expression
# ImageVerificationConfig 13
: rules=[]{}
rules: image=string skip=*bool deny=*bool keyless=*{} publicKey=*{}
rules.keyless: issuer=string subject=string subjectRegex=string
rules.publicKey: certificate=string
`
