/** A type of the OCI runtime specification: what JSON it takes. */
export interface SpecType {
  readonly is: 'struct' | 'list' | 'map' | 'text' | 'flag' | 'integer' | 'any'
  /** As Go prints it. */
  readonly name: string
  /** Of the items of a list or a map. */
  readonly of?: SpecType
  /** The bounds of an integer. */
  readonly from?: number
  readonly below?: number
}

// Version 1.3.0, which is what Talos v1.13 reads: a struct, then its fields. In brackets: Go's own name.
const TABLE = `
Spec: ociVersion=string process=Process root=Root hostname=string domainname=string
    mounts=[]Mount hooks=Hooks annotations=map:string linux=Linux solaris=Solaris
    windows=Windows vm=VM zos=ZOS freebsd=FreeBSD
Process: terminal=bool consoleSize=Box user=User args=[]string commandLine=string env=[]string
    cwd=string capabilities=LinuxCapabilities rlimits=[]POSIXRlimit noNewPrivileges=bool
    apparmorProfile=string oomScoreAdj=int scheduler=Scheduler selinuxLabel=string
    ioPriority=LinuxIOPriority execCPUAffinity=CPUAffinity
Root: path=string readonly=bool
Mount: destination=string type=string source=string options=[]string
    uidMappings=[]LinuxIDMapping gidMappings=[]LinuxIDMapping
Hooks: prestart=[]Hook createRuntime=[]Hook createContainer=[]Hook startContainer=[]Hook
    poststart=[]Hook poststop=[]Hook
Linux: uidMappings=[]LinuxIDMapping gidMappings=[]LinuxIDMapping sysctl=map:string
    resources=LinuxResources cgroupsPath=string namespaces=[]LinuxNamespace
    devices=[]LinuxDevice netDevices=map:LinuxNetDevice seccomp=LinuxSeccomp
    rootfsPropagation=string maskedPaths=[]string readonlyPaths=[]string mountLabel=string
    intelRdt=LinuxIntelRdt memoryPolicy=LinuxMemoryPolicy personality=LinuxPersonality
    timeOffsets=map:LinuxTimeOffset
Solaris: milestone=string limitpriv=string maxShmMemory=string anet=[]SolarisAnet
    cappedCPU=SolarisCappedCPU cappedMemory=SolarisCappedMemory
Windows: layerFolders=[]string devices=[]WindowsDevice resources=WindowsResources
    credentialSpec=any servicing=bool ignoreFlushesDuringBoot=bool hyperv=WindowsHyperV
    network=WindowsNetwork
VM: hypervisor=VMHypervisor kernel=VMKernel image=VMImage hwconfig=HWConfig
ZOS: namespaces=[]ZOSNamespace
FreeBSD: devices=[]FreeBSDDevice jail=FreeBSDJail
Box: height=uint width=uint
User: uid=uint32 gid=uint32 umask=uint32 additionalGids=[]uint32 username=string
LinuxCapabilities: bounding=[]string effective=[]string inheritable=[]string
    permitted=[]string ambient=[]string
POSIXRlimit: type=string hard=uint64 soft=uint64
Scheduler: policy=string(specs.LinuxSchedulerPolicy) nice=int32 priority=int32
    flags=[]string(specs.LinuxSchedulerFlag) runtime=uint64 deadline=uint64 period=uint64
LinuxIOPriority: class=string(specs.IOPriorityClass) priority=int
CPUAffinity: initial=string final=string
LinuxIDMapping: containerID=uint32 hostID=uint32 size=uint32
Hook: path=string args=[]string env=[]string timeout=int
LinuxResources: devices=[]LinuxDeviceCgroup memory=LinuxMemory cpu=LinuxCPU pids=LinuxPids
    blockIO=LinuxBlockIO hugepageLimits=[]LinuxHugepageLimit network=LinuxNetwork
    rdma=map:LinuxRdma unified=map:string
LinuxNamespace: type=string(specs.LinuxNamespaceType) path=string
LinuxDevice: path=string type=string major=int64 minor=int64 fileMode=uint32(fs.FileMode)
    uid=uint32 gid=uint32
LinuxNetDevice: name=string
LinuxSeccomp: defaultAction=string(specs.LinuxSeccompAction) defaultErrnoRet=uint
    architectures=[]string(specs.Arch) flags=[]string(specs.LinuxSeccompFlag)
    listenerPath=string listenerMetadata=string syscalls=[]LinuxSyscall
LinuxIntelRdt: closID=string schemata=[]string l3CacheSchema=string memBwSchema=string
    enableMonitoring=bool
LinuxMemoryPolicy: mode=string(specs.MemoryPolicyModeType) nodes=string
    flags=[]string(specs.MemoryPolicyFlagType)
LinuxPersonality: domain=string(specs.LinuxPersonalityDomain)
    flags=[]string(specs.LinuxPersonalityFlag)
LinuxTimeOffset: secs=int64 nanosecs=uint32
SolarisAnet: linkname=string lowerLink=string allowedAddress=string
    configureAllowedAddress=string defrouter=string linkProtection=string macAddress=string
SolarisCappedCPU: ncpus=string
SolarisCappedMemory: physical=string swap=string
WindowsDevice: id=string idType=string
WindowsResources: memory=WindowsMemoryResources cpu=WindowsCPUResources
    storage=WindowsStorageResources
WindowsHyperV: utilityVMPath=string
WindowsNetwork: endpointList=[]string allowUnqualifiedDNSQuery=bool DNSSearchList=[]string
    networkSharedContainerName=string networkNamespace=string
VMHypervisor: path=string parameters=[]string
VMKernel: path=string parameters=[]string initrd=string
VMImage: path=string format=string
HWConfig: deviceTree=string vcpus=uint32 memory=uint64 dtdevs=[]string iomems=[]IOMems
    irqs=[]uint32
ZOSNamespace: type=string(specs.ZOSNamespaceType) path=string
FreeBSDDevice: path=string mode=uint32(fs.FileMode)
FreeBSDJail: parent=string host=string(specs.FreeBSDSharing) ip4=string(specs.FreeBSDSharing)
    ip4Addr=[]string ip6=string(specs.FreeBSDSharing) ip6Addr=[]string
    vnet=string(specs.FreeBSDSharing) interface=string vnetInterfaces=[]string
    sysvmsg=string(specs.FreeBSDSharing) sysvsem=string(specs.FreeBSDSharing)
    sysvshm=string(specs.FreeBSDSharing) enforceStatfs=int allow=FreeBSDJailAllow
LinuxDeviceCgroup: allow=bool type=string major=int64 minor=int64 access=string
LinuxMemory: limit=int64 reservation=int64 swap=int64 kernel=int64 kernelTCP=int64
    swappiness=uint64 disableOOMKiller=bool useHierarchy=bool checkBeforeUpdate=bool
LinuxCPU: shares=uint64 quota=int64 burst=uint64 period=uint64 realtimeRuntime=int64
    realtimePeriod=uint64 cpus=string mems=string idle=int64
LinuxPids: limit=int64
LinuxBlockIO: weight=uint16 leafWeight=uint16 weightDevice=[]LinuxWeightDevice
    throttleReadBpsDevice=[]LinuxThrottleDevice throttleWriteBpsDevice=[]LinuxThrottleDevice
    throttleReadIOPSDevice=[]LinuxThrottleDevice throttleWriteIOPSDevice=[]LinuxThrottleDevice
LinuxHugepageLimit: pageSize=string limit=uint64
LinuxNetwork: classID=uint32 priorities=[]LinuxInterfacePriority
LinuxRdma: hcaHandles=uint32 hcaObjects=uint32
LinuxSyscall: names=[]string action=string(specs.LinuxSeccompAction) errnoRet=uint
    args=[]LinuxSeccompArg
WindowsMemoryResources: limit=uint64
WindowsCPUResources: count=uint64 shares=uint16 maximum=uint16
    affinity=[]WindowsCPUGroupAffinity
WindowsStorageResources: iops=uint64 bps=uint64 sandboxSize=uint64
IOMems: firstGFN=uint64 firstMFN=uint64 nrMFNs=uint64
FreeBSDJailAllow: setHostname=bool rawSockets=bool chflags=bool mount=[]string quotas=bool
    socketAf=bool mlock=bool reservedPorts=bool suser=bool
LinuxWeightDevice: major=int64 minor=int64 weight=uint16 leafWeight=uint16
LinuxThrottleDevice: major=int64 minor=int64 rate=uint64
LinuxInterfacePriority: name=string priority=uint32
LinuxSeccompArg: index=uint value=uint64 valueTwo=uint64 op=string(specs.LinuxSeccompOperator)
WindowsCPUGroupAffinity: mask=uint64 group=uint32
`

const STRUCTS = new Map(
  TABLE.trim()
    .split(/\n(?! )/)
    .map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1),
    ]),
)

/** The type of the whole. */
export const wholeSpec: SpecType = { is: 'struct', name: 'specs.Spec' }

/** A field of a struct; Go does not care about the case of its name. */
export function specField(
  struct: SpecType,
  key: string,
): { name: string; type: SpecType } | undefined {
  const fields = STRUCTS.get(bareName(struct))?.trim().split(/\s+/) ?? []
  const found = fields.find((field) => field.toLowerCase().startsWith(`${key.toLowerCase()}=`))
  if (found === undefined) return undefined
  const [name = '', type = ''] = found.split('=')
  return { name, type: specType(type) }
}

/** The name of a struct without its package. */
export const bareName = ({ name }: SpecType): string => name.replace('specs.', '')

function specType(text: string): SpecType {
  if (text.startsWith('[]')) {
    const of = specType(text.slice(2))
    return { is: 'list', name: `[]${of.name}`, of }
  }
  if (text.startsWith('map:')) {
    const of = specType(text.slice(4))
    return { is: 'map', name: `map[string]${of.name}`, of }
  }
  const [, plain = text, name = plain] = /^(\w+)(?:\((.*)\))?$/.exec(text) ?? []
  return scalarType(plain, name)
}

function scalarType(plain: string, name: string): SpecType {
  if (plain === 'string') return { is: 'text', name }
  if (plain === 'bool') return { is: 'flag', name }
  if (plain === 'any') return { is: 'any', name }
  const [, unsigned, bits = '64'] = /^(u?)int(\d*)$/.exec(plain) ?? []
  if (unsigned === undefined) return { is: 'struct', name: `specs.${plain}` }
  const width = Number(bits || '64')
  return unsigned
    ? { is: 'integer', name, from: 0, below: 2 ** width }
    : { is: 'integer', name, from: -(2 ** (width - 1)), below: 2 ** (width - 1) }
}
