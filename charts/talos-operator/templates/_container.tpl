{{- define "talos-operator.args" -}}
- run
- --metrics-bind-address=:{{ .Values.metrics.port }}
- --health-probe-bind-address=:{{ .Values.probes.port }}
- {{ printf "--results-path=%s" .Values.results.path | quote }}
- --enable-meta-key={{ .Values.featureFlags.enableMetaKey }}
{{- with .Values.watchNamespaces }}
- {{ join "," . | printf "--namespaces=%s" | quote }}
{{- end }}
{{- with .Values.machineRefKinds }}
- {{ join "," . | printf "--machine-ref-kinds=%s" | quote }}
{{- end }}
{{- if .Values.tracing.enabled }}
- --enable-tracing=true
- {{ printf "--otlp-endpoint=%s" .Values.tracing.otlpEndpoint | quote }}
{{- end }}
{{- with .Values.extraArgs }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "talos-operator.memory" -}}
{{- get ((.Values.resources | default dict).limits | default dict) "memory" -}}
{{- end }}

{{- /* Five eighths of the limit in MiB: V8 then collects garbage before the kernel kills the process. */ -}}
{{- define "talos-operator.heap" -}}
{{- $memory := include "talos-operator.memory" . -}}
{{- if regexMatch "^[0-9]+Mi$" $memory -}}
{{- div (mul (trimSuffix "Mi" $memory | int) 5) 8 -}}
{{- else if regexMatch "^[0-9]+Gi$" $memory -}}
{{- div (mul (trimSuffix "Gi" $memory | int) 1024 5) 8 -}}
{{- end -}}
{{- end }}

{{- /* Each name once, and the last one that has it: the API refuses a list with one twice. */ -}}
{{- define "talos-operator.env" -}}
{{- $all := list (dict "name" "POD_NAME" "valueFrom" (dict "fieldRef" (dict "fieldPath" "metadata.name"))) -}}
{{- with include "talos-operator.heap" . -}}
{{- $all = append $all (dict "name" "NODE_OPTIONS" "value" (printf "--max-old-space-size=%s" .)) -}}
{{- end -}}
{{- range $name, $value := dict "LOG_LEVEL" .Values.logLevel "LOG_JSON" .Values.logJson "MAX_CONCURRENT_RECONCILES" .Values.maxConcurrentReconciles -}}
{{- if not (kindIs "invalid" $value) -}}
{{- $all = append $all (dict "name" $name "value" (toString $value)) -}}
{{- end -}}
{{- end -}}
{{- $all = concat $all (.Values.env | default list) (.Values.extraEnv | default list) -}}
{{- $last := dict -}}
{{- $names := list -}}
{{- range $all -}}
{{- $names = append $names .name | uniq -}}
{{- $_ := set $last .name . -}}
{{- end -}}
{{- range $names }}
{{ list (get $last .) | toYaml }}
{{- end -}}
{{- end }}
