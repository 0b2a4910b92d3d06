/**
 * What the legacy document holds (by the tables of Talos' reference and schemas, the hidden ones too): the
 * place of a struct, then its fields with their types.
 */
export const legacyPaths = `
: version=string debug=*bool persist=*bool machine=*{} cluster=*{}
machine: type=string token=string ca=*{} acceptedCAs=[]*{} certSANs=[]string controlPlane=*{}
    kubelet=*{} pods=[]any network=*{} install=*{} files=[]*{} env=map:string time=*{}
    sysctls=map:string sysfs=map:string registries={} features=*{} udev=*{} logging=*{} kernel=*{}
    seccompProfiles=[]*{} baseRuntimeSpecOverrides=any nodeLabels=map:string
    nodeAnnotations=map:string nodeTaints=map:string disks=[]*{} systemDiskEncryption=*{}
machine.controlPlane: controllerManager=*{} scheduler=*{}
machine.controlPlane.controllerManager: disabled=*bool
machine.controlPlane.scheduler: disabled=*bool
machine.kubelet: image=string clusterDNS=[]string extraArgs=map:argument extraMounts=[]{}
    extraConfig=any credentialProviderConfig=any defaultRuntimeSeccompProfileEnabled=*bool
    registerWithFQDN=*bool nodeIP=*{} skipNodeRegistration=*bool disableManifestsDirectory=*bool
machine.kubelet.extraMounts: destination=string type=string source=string options=[]string
    uidMappings=[]{} gidMappings=[]{}
machine.kubelet.extraMounts.uidMappings: containerID=uint32 hostID=uint32 size=uint32
machine.kubelet.extraMounts.gidMappings: containerID=uint32 hostID=uint32 size=uint32
machine.kubelet.nodeIP: validSubnets=[]string
machine.network: hostname=string interfaces=[]*{} nameservers=[]string searchDomains=[]string
    extraHostEntries=[]*{} kubespan=*{} disableSearchDomain=*bool
machine.network.interfaces: interface=string deviceSelector=*{} addresses=[]string routes=[]*{}
    bond=*{} bridge=*{} bridgePort=*{} vlans=[]*{} mtu=int64 dhcp=*bool ignore=*bool dummy=*bool
    dhcpOptions=*{} wireguard=*{} vip=*{} cidr=string
machine.network.interfaces.deviceSelector: busPath=string hardwareAddr=string permanentAddr=string
    pciID=string driver=string physical=*bool
machine.network.interfaces.routes: network=string gateway=string source=string metric=uint32
    mtu=uint32
machine.network.interfaces.bond: interfaces=[]string deviceSelectors=[]{} arpIPTarget=[]string
    mode=string xmitHashPolicy=string lacpRate=string adActorSystem=string arpValidate=string
    arpAllTargets=string primary=string primaryReselect=string failOverMac=string adSelect=string
    miimon=uint32 updelay=uint32 downdelay=uint32 arpInterval=uint32 resendIgmp=uint32
    minLinks=uint32 lpInterval=uint32 packetsPerSlave=uint32 numPeerNotif=uint8 tlbDynamicLb=uint8
    allSlavesActive=uint8 useCarrier=*bool adActorSysPrio=uint16 adUserPortKey=uint16
    peerNotifyDelay=uint32
machine.network.interfaces.bond.deviceSelectors: busPath=string hardwareAddr=string
    permanentAddr=string pciID=string driver=string physical=*bool
machine.network.interfaces.bridge: interfaces=[]string stp=*{} vlan=*{}
machine.network.interfaces.bridge.stp: enabled=*bool
machine.network.interfaces.bridge.vlan: vlanFiltering=*bool
machine.network.interfaces.bridgePort: master=string
machine.network.interfaces.vlans: addresses=[]string routes=[]*{} dhcp=*bool vlanId=uint16
    mtu=uint32 vip=*{} dhcpOptions=*{}
machine.network.interfaces.vlans.routes: network=string gateway=string source=string metric=uint32
    mtu=uint32
machine.network.interfaces.vlans.vip: ip=string equinixMetal=*{} hcloud=*{}
machine.network.interfaces.vlans.vip.equinixMetal: apiToken=string
machine.network.interfaces.vlans.vip.hcloud: apiToken=string
machine.network.interfaces.vlans.dhcpOptions: routeMetric=uint32 ipv4=*bool ipv6=*bool
    duidv6=string
machine.network.interfaces.dhcpOptions: routeMetric=uint32 ipv4=*bool ipv6=*bool duidv6=string
machine.network.interfaces.wireguard: privateKey=string listenPort=int64 firewallMark=int64
    peers=[]*{}
machine.network.interfaces.wireguard.peers: publicKey=string endpoint=string
    persistentKeepaliveInterval=duration allowedIPs=[]string
machine.network.interfaces.vip: ip=string equinixMetal=*{} hcloud=*{}
machine.network.interfaces.vip.equinixMetal: apiToken=string
machine.network.interfaces.vip.hcloud: apiToken=string
machine.network.extraHostEntries: ip=string aliases=[]string
machine.network.kubespan: enabled=*bool advertiseKubernetesNetworks=*bool
    allowDownPeerBypass=*bool harvestExtraEndpoints=*bool mtu=*uint32 filters=*{}
machine.network.kubespan.filters: endpoints=[]string excludeAdvertisedNetworks=[]string
machine.install: disk=string diskSelector=*{} extraKernelArgs=[]string image=string wipe=*bool
    legacyBIOSSupport=*bool bootloader=*bool grubUseUKICmdline=*bool
machine.install.diskSelector: size=*disk-condition name=string model=string serial=string
    modalias=string uuid=string wwid=string type=string busPath=string
machine.files: content=string permissions=file-mode path=string op=string
machine.time: disabled=*bool servers=[]string bootTimeout=duration
machine.registries: mirrors=map:*{} config=map:*{}
machine.registries.mirrors: endpoints=[]string overridePath=*bool skipFallback=*bool
machine.registries.config: tls=*{} auth=*{}
machine.registries.config.tls: clientIdentity=*{} ca=base64 insecureSkipVerify=*bool
machine.registries.config.auth: username=string password=string auth=string identityToken=string
machine.features: rbac=*bool stableHostname=*bool kubernetesTalosAPIAccess=*{}
    apidCheckExtKeyUsage=*bool diskQuotaSupport=*bool kubePrism=*{} hostDNS=*{} imageCache=*{}
    nodeAddressSortAlgorithm=string
machine.features.kubernetesTalosAPIAccess: enabled=*bool allowedRoles=[]string
    allowedKubernetesNamespaces=[]string
machine.features.kubePrism: enabled=*bool port=int64
machine.features.hostDNS: enabled=*bool forwardKubeDNSToHost=*bool resolveMemberNames=*bool
machine.features.imageCache: localEnabled=*bool
machine.udev: rules=[]string
machine.logging: destinations=[]{}
machine.logging.destinations: endpoint=*url format=string extraTags=map:string
machine.kernel: modules=[]*{}
machine.kernel.modules: name=string parameters=[]string
machine.seccompProfiles: name=string value=any
cluster: id=string secret=string controlPlane=*{} clusterName=string network=*{} token=string
    aescbcEncryptionSecret=string secretboxEncryptionSecret=string ca=*{} acceptedCAs=[]*{}
    aggregatorCA=*{} serviceAccount=*{} apiServer=*{} controllerManager=*{} proxy=*{}
    scheduler=*{} discovery=*{} etcd=*{} coreDNS=*{} externalCloudProvider=*{}
    extraManifests=[]string extraManifestHeaders=map:string inlineManifests=[]{}
    adminKubeconfig=*{} allowSchedulingOnControlPlanes=*bool allowSchedulingOnMasters=*bool
cluster.controlPlane: endpoint=*url localAPIServerPort=int64
cluster.network: cni=*{} dnsDomain=string podSubnets=[]string serviceSubnets=[]string
cluster.network.cni: name=string urls=[]string flannel=*{}
cluster.network.cni.flannel: extraArgs=[]string kubeNetworkPoliciesEnabled=*bool
cluster.apiServer: image=string extraArgs=map:argument extraVolumes=[]{} env=map:string
    certSANs=[]string disablePodSecurityPolicy=*bool admissionControl=[]*{} auditPolicy=any
    resources=*{} authorizationConfig=[]*{}
cluster.apiServer.extraVolumes: hostPath=string mountPath=string readonly=bool
cluster.apiServer.admissionControl: name=string configuration=any
cluster.apiServer.authorizationConfig: type=string name=string webhook=any
cluster.controllerManager: image=string extraArgs=map:argument extraVolumes=[]{} env=map:string
    resources=*{}
cluster.controllerManager.extraVolumes: hostPath=string mountPath=string readonly=bool
cluster.proxy: disabled=*bool image=string mode=string extraArgs=map:argument
cluster.scheduler: image=string extraArgs=map:argument extraVolumes=[]{} env=map:string
    resources=*{} config=any
cluster.scheduler.extraVolumes: hostPath=string mountPath=string readonly=bool
cluster.discovery: enabled=*bool registries={}
cluster.discovery.registries: kubernetes={} service={}
cluster.discovery.registries.kubernetes: disabled=*bool
cluster.discovery.registries.service: disabled=*bool endpoint=string
cluster.etcd: image=string ca=*{} extraArgs=map:argument advertisedSubnets=[]string
    listenSubnets=[]string subnet=string
cluster.coreDNS: disabled=*bool image=string
cluster.externalCloudProvider: enabled=*bool manifests=[]string
cluster.inlineManifests: name=string contents=manifest
cluster.adminKubeconfig: certLifetime=duration
machine.disks: device=string
machine.disks.partitions: size=disk-size mountpoint=string
machine.systemDiskEncryption.state: provider=string cipher=string keySize=uint64 blockSize=uint64
    options=[]string
machine.systemDiskEncryption.state.keys: slot=int64 nodeID=*{}
machine.systemDiskEncryption.state.keys.static: passphrase=string
machine.systemDiskEncryption.state.keys.kms: endpoint=string
machine.systemDiskEncryption.state.keys.tpm: checkSecurebootStatusOnEnroll=*bool
machine.systemDiskEncryption.ephemeral: provider=string cipher=string keySize=uint64
    blockSize=uint64 options=[]string
machine.systemDiskEncryption.ephemeral.keys: slot=int64 nodeID=*{}
machine.systemDiskEncryption.ephemeral.keys.static: passphrase=string
machine.systemDiskEncryption.ephemeral.keys.kms: endpoint=string
machine.systemDiskEncryption.ephemeral.keys.tpm: checkSecurebootStatusOnEnroll=*bool
machine.install.extensions: image=string
machine.ca: crt=base64 key=base64-key
machine.acceptedCAs: crt=base64
cluster.ca: crt=base64
cluster.aggregatorCA: key=base64-key
cluster.acceptedCAs: crt=base64
cluster.serviceAccount: key=base64-key
cluster.etcd.ca: key=base64-key
`
