# What QGIS reads by WCS: python3 coverages.py ADDRESS VERSION NAME → one line of JSON.
import json, os, sys
from qgis.core import QgsApplication, QgsRasterLayer

address, version, name = sys.argv[1:4]
application = QgsApplication([], False)
application.initQgis()
asked = '' if version == 'any' else '&version=' + version
layer = QgsRasterLayer('url=%s/wcs&identifier=%s&format=GeoTIFF%s' % (address, name, asked), name, 'wcs')
said = {'valid': layer.isValid()}
if layer.isValid():
    block = layer.dataProvider().block(1, layer.extent(), layer.width(), layer.height())
    said.update({
        'crs': layer.crs().authid(),
        'size': [layer.width(), layer.height()],
        'values': [block.value(0, 0), block.value(0, layer.width() - 1), block.value(layer.height() - 1, 0)],
    })
print(json.dumps(said), flush=True)
# Taking QGIS apart is not what is tried here.
os._exit(0)
