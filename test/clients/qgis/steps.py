# What QGIS does with the portal, step by step; qgis.client.ts starts it and looks at what it says (one JSON document) and at the database.
#
#   python3 steps.py http://127.0.0.1:8001 ada password

import json
import os
import sys

os.environ.setdefault('QT_QPA_PLATFORM', 'offscreen')
from qgis.core import (QgsApplication, QgsDataSourceUri, QgsFeature, QgsFeatureRequest, QgsGeometry, QgsPointXY, QgsRaster,
                       QgsRasterLayer, QgsRectangle, QgsVectorLayer)

address, user, password = sys.argv[1:4]
app = QgsApplication([], False)
app.initQgis()


def vector(provider, kind, signed_in=True, **parameters):
    uri = QgsDataSourceUri()
    for name, value in parameters.items():
        uri.setParam(name, value)
    if signed_in:
        uri.setUsername(user)
        uri.setPassword(password)
    layer = QgsVectorLayer(uri.uri(False), kind, provider)
    return layer


def wfs(version, name, **more):
    return vector('WFS', name, url=address + '/wfs', typename='portal:' + name, version=version, srsname='EPSG:4326', **more)


def rows(layer, expression=None):
    request = QgsFeatureRequest()
    if expression is not None:
        request.setFilterExpression(expression)
    return sorted([feature['name'], feature.geometry().asWkt(2)] for feature in layer.getFeatures(request))


def edit(version):
    layer = wfs(version, 'spots')
    said = {'valid': layer.isValid(), 'can': layer.dataProvider().capabilitiesString(), 'before': rows(layer)}
    said['started'] = layer.startEditing()
    by_name = {feature['name']: feature for feature in layer.getFeatures()}
    new = QgsFeature(layer.fields())
    new.setAttribute('name', 'from QGIS')
    new.setAttribute('height', 7)
    new.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(7, 51)))
    said['added'] = layer.addFeature(new)
    one = by_name['one']
    said['changed'] = layer.changeAttributeValue(one.id(), layer.fields().indexOf('name'), 'renamed')
    said['moved'] = layer.changeGeometry(one.id(), QgsGeometry.fromPointXY(QgsPointXY(8, 52)))
    said['deleted'] = layer.deleteFeature(by_name['two'].id())
    said['committed'] = layer.commitChanges()
    said['errors'] = layer.commitErrors()
    said['after'] = rows(layer)
    return said


def edit_area(version):
    layer = wfs(version, 'fields')
    layer.startEditing()
    new = QgsFeature(layer.fields())
    new.setAttribute('name', 'field')
    new.setGeometry(QgsGeometry.fromWkt('MultiPolygon (((7 50, 8 50, 8 51, 7 51, 7 50),(7.4 50.4, 7.6 50.4, 7.6 50.6, 7.4 50.4)))'))
    layer.addFeature(new)
    return {'committed': layer.commitChanges(), 'errors': layer.commitErrors()}


def identify():
    layer = QgsRasterLayer(
        'contextualWMSLegend=0&crs=EPSG:4326&format=image/png&layers=portal:days&styles=&url=' + address + '/wms', 'days', 'wms')
    if not layer.isValid():
        return {'valid': False, 'error': layer.error().message() or layer.dataProvider().lastError()}
    found = layer.dataProvider().identify(QgsPointXY(10, 20), QgsRaster.IdentifyFormatFeature, QgsRectangle(0, 10, 20, 30), 200, 200)
    features = []
    for stores in found.results().values():
        for store in stores:
            for feature in store.features():
                features.append([feature['name'], feature.geometry().asWkt(2), store.crs().authid()])
    return {'valid': layer.isValid(), 'error': found.error().message(), 'features': features}


def dates():
    said = {}
    for name, layer in (('wfs', wfs('2.0.0', 'days')), ('wfs 1.1', wfs('1.1.0', 'days')),
                        ('ogc', vector('OAPIF', 'days', url=address + '/ogc', typename='days'))):
        said[name] = {
            'valid': layer.isValid(),
            'all': len(rows(layer)),
            'some': [one[0] for one in rows(layer, '"day" >= \'2020-01-10\' and "day" <= \'2020-01-12\'')],
        }
        layer.setSubsetString('"day" = \'2020-01-11\'')
        said[name]['subset'] = [one[0] for one in rows(layer)]
    return said


def visitor():
    layer = vector('WFS', 'spots', False, url=address + '/wfs', typename='portal:spots', version='1.1.0')
    return {'can': layer.dataProvider().capabilitiesString()}


steps = {
    'dates': dates,
    'identify': identify,
    'edit 1.0.0': lambda: edit('1.0.0'),
    'edit 1.1.0': lambda: edit('1.1.0'),
    'edit 2.0.0': lambda: edit('2.0.0'),
    'area 1.0.0': lambda: edit_area('1.0.0'),
    'area 1.1.0': lambda: edit_area('1.1.0'),
    'area 2.0.0': lambda: edit_area('2.0.0'),
    'visitor': visitor,
}
print('\n' + json.dumps(steps[sys.argv[4]](), default=str))
sys.stdout.flush()
# Its threads take their time to end, and nothing is left to do.
os._exit(0)
