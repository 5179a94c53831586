from django.urls import path

from catalog.rest import views

urlpatterns = [
    path("sections/", views.SectionList.as_view(), name="section-list"),
    path("sections/<str:key>/", views.SectionItem.as_view(), name="section-item"),
    path("scale/", views.ScaleList.as_view(), name="scale"),
    path("scale/<str:key>/", views.RungItem.as_view(), name="rung-item"),
    path("manufacturers/", views.ManufacturerList.as_view(), name="manufacturer-list"),
    path("manufacturers/<str:key>/", views.ManufacturerItem.as_view(), name="manufacturer-item"),
    path("devices/", views.DeviceList.as_view(), name="device-list"),
    path("devices/<str:key>/", views.DeviceItem.as_view(), name="device-item"),
    path("installations/", views.InstallationList.as_view(), name="installation-list"),
    path("installations/<str:key>/", views.InstallationItem.as_view(), name="installation-item"),
]
