import type { en } from './en.ts';

export const es: Readonly<Record<keyof typeof en, string>> = {
  'app.content': 'Contenido',
  'app.empty': 'Este panel aún no tiene contenido.',
  'app.data': 'Contenido (JSON)',
  'app.data-hint':
    'La configuración de un visor de mapas se muestra como mapa, una historia como historia y todo lo demás como lista.',
  'app.not-json': 'JSON no válido: {reason}',
  'app.take-map': 'Importar un mapa',
  'app.preview': 'Vista previa para los lectores',
  'app.layers-missing.one': '{n} capa de este panel ya no existe o no está compartida con usted.',
  'app.layers-missing.other': '{n} capas de este panel ya no existen o no están compartidas con usted.',
  'data.entries.one': '{n} entrada',
  'data.entries.other': '{n} entradas',
  'data.more': '{n} más no se muestran',
  'data.yes': 'Sí',
  'data.no': 'No',
  'data.nothing': 'nada',
};
