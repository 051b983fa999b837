# Styles that QGIS writes as SLD by default, sent to the portal, and read again as the portal gives them out: python3 styles.py ADDRESS
# USER PASSWORD POINT-LAYER LINE-LAYER AREA-LAYER → one line of JSON: by name, what the portal warns of and whether QGIS reads its answer.
import base64, json, os, sys, urllib.request
from qgis.core import (
    QgsApplication, QgsCategorizedSymbolRenderer, QgsGraduatedSymbolRenderer, QgsPalLayerSettings, QgsRendererCategory, QgsRendererRange,
    QgsRuleBasedRenderer, QgsSingleSymbolRenderer, QgsSymbol, QgsTextBufferSettings, QgsTextFormat, QgsVectorLayer, QgsVectorLayerSimpleLabeling,
)

address, user, password = sys.argv[1:4]
application = QgsApplication([], False)
application.initQgis()
token = base64.b64encode(('%s:%s' % (user, password)).encode()).decode()

def portal(method, path, body=None):
    headers = {'Authorization': 'Basic ' + token, 'Content-Type': 'application/vnd.ogc.sld+xml'}
    with urllib.request.urlopen(urllib.request.Request(address + path, body, headers, method=method)) as reply:
        return reply.read()

def renderers(kind):
    symbol = lambda: QgsSymbol.defaultSymbol(kind)
    yield 'single', QgsSingleSymbolRenderer(symbol())
    yield 'categories', QgsCategorizedSymbolRenderer('name', [QgsRendererCategory(value, symbol(), str(value)) for value in ('a', 'b', None)])
    yield 'classes', QgsGraduatedSymbolRenderer('height', [QgsRendererRange(low, low + 10, symbol(), str(low)) for low in (0, 10)])
    root = QgsRuleBasedRenderer.Rule(None)
    kept.append(root)
    root.appendChild(QgsRuleBasedRenderer.Rule(symbol(), 1000, 100000, '"height" > 5 AND "name" LIKE \'a%\'', 'some'))
    root.appendChild(QgsRuleBasedRenderer.Rule(symbol(), 0, 0, 'ELSE', 'others'))
    yield 'rules', QgsRuleBasedRenderer(root)
    yield 'labels', QgsSingleSymbolRenderer(symbol())

said = {}
# What QGIS takes over must not be taken away by Python meanwhile.
kept = []
for geometry, name in zip(('Point', 'LineString', 'Polygon'), sys.argv[4:7]):
    layer = QgsVectorLayer(geometry + '?crs=EPSG:4326&field=name:string&field=height:integer', name, 'memory')
    for title, renderer in renderers(layer.geometryType()):
        kept.append((layer, renderer))
        layer.setRenderer(renderer.clone())
        if title == 'labels':
            buffer = QgsTextBufferSettings()
            buffer.setEnabled(True)
            look = QgsTextFormat()
            look.setBuffer(buffer)
            settings = QgsPalLayerSettings()
            settings.fieldName = 'name'
            settings.setFormat(look)
            kept.append((buffer, look, settings))
            layer.setLabeling(QgsVectorLayerSimpleLabeling(settings))
            layer.setLabelsEnabled(True)
        layer.saveSldStyle('sent.sld')
        answer = json.loads(portal('PUT', '/styles/%s/%s_%s.sld' % (name, name, title), open('sent.sld', 'rb').read()))
        # A style that is sent as SLD is given out as it was sent; one that is sent as layers of MapLibre is written as SLD.
        portal('PUT', '/styles/%s/%s_%s_anew.json' % (name, name, title), json.dumps(answer).encode())
        open('drawn.sld', 'wb').write(portal('GET', '/ogc/collections/%s/styles/%s_%s_anew?f=sld10' % (name, name, title)))
        again = QgsVectorLayer(geometry + '?crs=EPSG:4326&field=name:string&field=height:integer', name, 'memory')
        kept.append(again)
        _, read = again.loadSldStyle('drawn.sld')
        said['%s %s' % (name, title)] = [answer['metadata'].get('survest:warnings', []), read, type(again.renderer()).__name__]
print(json.dumps(said), flush=True)
# Taking QGIS apart is not what is tried here.
os._exit(0)
