import type { KubernetesComponent } from './kubernetes-components.ts'

/** What one minor version of Kubernetes does not have any more, by its name. */
export interface Removals {
  /** Without the two hyphens. A component that is given one does not start. */
  readonly flags?: Partial<Readonly<Record<KubernetesComponent, readonly string[]>>>
  /** Of all components: each knows those of the others. */
  readonly featureGates?: readonly string[]
  readonly admissionPlugins?: readonly string[]
  /** `resource.version.group`, only those whose objects are in no other version either. */
  readonly resources?: readonly string[]
}

/** By the minor version of Kubernetes 1.x that is the first without. As Talos' own upgrade checks them. */
export const removals: ReadonlyMap<number, Removals> = new Map<number, Removals>([
  [
    25,
    {
      flags: {
        apiServer: ['service-account-api-audiences'],
        controllerManager: ['deleting-pods-qps', 'deleting-pods-burst', 'register-retry-count'],
      },
      featureGates: [
        ...['CSIVolumeFSGroupPolicy', 'ConfigurableFSGroupPolicy', 'PodDisruptionBudget'],
        'SelectorIndex',
      ],
      admissionPlugins: ['PodSecurityPolicy'],
      resources: ['podsecuritypolicies.v1beta1.policy'],
    },
  ],
  [
    26,
    {
      flags: { apiServer: ['master-service-namespace'] },
      featureGates: ['DynamicKubeletConfig'],
    },
  ],
  [
    27,
    {
      flags: {
        controllerManager: ['enable-taint-manager', 'pod-eviction-timeout'],
        kubelet: ['container-runtime', 'master-service-namespace'],
      },
      featureGates: [
        ...['CSIInlineVolume', 'CSIMigration', 'ControllerManagerLeaderMigration'],
        ...['DaemonSetUpdateSurge', 'EphemeralContainers', 'ExpandCSIVolumes'],
        ...['ExpandInUsePersistentVolumes', 'ExpandPersistentVolumes', 'IdentifyPodOS'],
        ...['LocalStorageCapacityIsolation', 'NetworkPolicyEndPort', 'StatefulSetMinReadySeconds'],
      ],
    },
  ],
  [
    28,
    {
      featureGates: [
        ...['AdvancedAuditing', 'CSIMigrationGCE', 'CSIStorageCapacity'],
        ...['DelegateFSGroupToCSIDriver', 'DevicePlugins', 'DisableAcceleratorUsageMetrics'],
        ...['EndpointSliceTerminatingCondition', 'KubeletCredentialProviders'],
        ...['MixedProtocolLBService', 'ServiceIPStaticSubrange', 'ServiceInternalTrafficPolicy'],
        'WindowsHostProcessContainers',
      ],
    },
  ],
  [29, { resources: ['clustercidrs.v1alpha1.networking.k8s.io'] }],
  [
    30,
    {
      featureGates: [
        ...['ExpandedDNSConfig', 'ExperimentalHostUserNamespaceDefaultingGate'],
        ...['IPTablesOwnershipCleanup', 'KubeletPodResources', 'KubeletPodResourcesGetAllocatable'],
        ...['MinimizeIPTablesRestore', 'ProxyTerminatingEndpoints', 'RemoveSelfLink'],
      ],
      admissionPlugins: ['SecurityContextDeny'],
    },
  ],
  [
    31,
    {
      flags: {
        controllerManager: [
          ...['volume-host-cidr-denylist', 'volume-host-allow-local-loopback'],
          'horizontal-pod-autoscaler-upscale-delay',
          'horizontal-pod-autoscaler-downscale-delay',
        ],
        kubelet: ['keep-terminated-pod-volumes', 'iptables-masquerade-bit', 'iptables-drop-bit'],
      },
      featureGates: [
        ...['APIPriorityAndFairness', 'CSINodeExpandSecret', 'ConsistentHTTPGetHandlers'],
        ...['DefaultHostNetworkHostPortsInPodTemplates', 'ServiceNodePortStaticSubrange'],
        'SkipReadOnlyValidationGCE',
      ],
    },
  ],
  [
    32,
    {
      featureGates: [
        ...['AllowServiceLBStatusOnNonLB', 'CloudDualStackNodeIPs', 'DRAControlPlaneController'],
        ...['HPAContainerMetrics', 'KMSv2', 'KMSv2KDF', 'LegacyServiceAccountTokenCleanUp'],
        ...['MinDomainsInPodTopologySpread', 'NewVolumeManagerReconstruction'],
        ...['NodeOutOfServiceVolumeDetach', 'ServerSideApply', 'ServerSideFieldValidation'],
        ...['StableLoadBalancerNodeSet', 'ValidatingAdmissionPolicy'],
        'ZeroLimitedNominalConcurrencyShares',
      ],
      resources: ['podschedulingcontexts.v1alpha3.resource.k8s.io'],
    },
  ],
  [
    33,
    {
      flags: { apiServer: ['cloud-config'] },
      featureGates: [
        ...['AppArmor', 'AppArmorFields', 'CPUManager', 'DisableCloudProviders'],
        ...['DisableKubeletCloudCredentialProviders', 'JobPodFailurePolicy'],
        ...['KubeProxyDrainingTerminatingNodes', 'PDBUnhealthyPodEvictionPolicy'],
        ...['PersistentVolumeLastPhaseTransitionTime', 'VolumeCapacityPriority'],
      ],
    },
  ],
  [
    34,
    {
      flags: { kubelet: ['cloud-config'] },
      featureGates: [
        ...['DevicePluginCDIDevices', 'LegacySidecarContainers', 'PodDisruptionConditions'],
      ],
    },
  ],
  [
    35,
    {
      flags: { kubelet: ['pod-infra-container-image'] },
      featureGates: ['SizeMemoryBackedVolumes', 'UserNamespacesHostNetworkSupport'],
    },
  ],
  [
    36,
    {
      featureGates: [
        ...['CSIMigrationPortworx', 'HonorPVReclaimPolicy', 'InTreePluginPortworxUnregister'],
        'WatchFromStorageWithoutResourceVersion',
      ],
    },
  ],
  [
    37,
    {
      flags: {
        kubelet: [
          ...['application-metrics-count-limit', 'boot-id-file', 'container-hints', 'containerd'],
          ...['containerd-namespace', 'enable-load-reader', 'event-storage-age-limit'],
          ...['event-storage-event-limit', 'global-housekeeping-interval', 'log-cadvisor-usage'],
          ...['machine-id-file', 'storage-driver-user', 'storage-driver-password'],
          ...['storage-driver-host', 'storage-driver-db', 'storage-driver-table'],
          ...['storage-driver-secure', 'storage-driver-buffer-duration'],
        ],
      },
      featureGates: [
        ...['AnyVolumeDataSource', 'DeclarativeValidationTakeover', 'GangScheduling'],
        ...['PreventStaticPodAPIReferences', 'WorkloadAwarePreemption'],
      ],
      resources: ['workloads.v1alpha2.scheduling.k8s.io', 'podgroups.v1alpha2.scheduling.k8s.io'],
    },
  ],
])
