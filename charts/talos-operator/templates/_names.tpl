{{- define "talos-operator.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 43 | trimSuffix "-" -}}
{{- end }}

{{- /* Short enough for what is appended to it. */ -}}
{{- define "talos-operator.fullname" -}}
{{- $name := include "talos-operator.name" . -}}
{{- $usual := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- .Values.fullnameOverride | default $usual | trunc 43 | trimSuffix "-" -}}
{{- end }}

{{- define "talos-operator.selector" -}}
app.kubernetes.io/name: {{ include "talos-operator.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "talos-operator.labels" -}}
{{ include "talos-operator.selector" . }}
app.kubernetes.io/part-of: talos-operator
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "talos-operator.account" -}}
{{- $usual := .Values.serviceAccount.create | ternary (printf "%s-controller-manager" (include "talos-operator.fullname" .)) "default" -}}
{{- .Values.serviceAccount.name | default $usual -}}
{{- end }}

{{- define "talos-operator.image" -}}
{{- $tag := .Values.image.tag | default (.Chart.Version | replace "+" "_") -}}
{{- .Values.image.repository -}}
{{- if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ $tag }}{{ end -}}
{{- end }}
